import ArgumentParser
import Conversation
import Foundation
import PipelineService
import PipelineSimulation

@main
struct IntentsSimulator: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intents-simulator",
        abstract: "Run whole conversations in memory with injected faults, and check the pipeline's guarantees.",
        discussion: """
            Each seed makes one history: several coordinators and workers, people who answer, change their minds and cancel, and crashes, pauses, \
            lost acknowledgements, failed records, absent leaders, rebalances, compaction, damaged topics and clock jumps. One seed in twenty makes a dense history: hundreds of requests in tens of \
            sessions. The same seed makes the same history on every machine. No broker is needed.

            A history that breaks a guarantee is shrunk and printed. Ends with 0 if no history breaks one, else with 4.
            """, version: PipelineVersion.text)

    static func main() async { await runAsProgram() }

    @Option(help: ArgumentHelp("The seed of the first history; the next ones count up from it.", valueName: "number"))
    var seed: UInt64 = 1

    @Option(
        help: ArgumentHelp(
            "The number of histories. Defaults to 1, and for each broken rule to 4,000.", valueName: "count"))
    var histories: Int?

    @Option(
        help: ArgumentHelp(
            "How many histories run at the same time. Defaults to the number of processors.", valueName: "count"))
    var width: Int?

    @Option(help: ArgumentHelp("Stop after this number of failed histories.", valueName: "count"))
    var failures = 1

    @Flag(
        help: ArgumentHelp(
            "Also count what the conversations reach, and print what they never reached. Takes a third longer.",
            discussion: "Ends with 4 if they don't reach all that they can; 1,000 histories do."))
    var coverage = false

    @Flag(
        help:
            "Instead of histories, try every order in which two owners of a partition, three records and some faults can meet."
    )
    var explore = false

    @Flag(
        help: ArgumentHelp(
            "Instead of histories, break the pipeline's rules one after the other, and play histories until one notices.",
            discussion:
                "Ends with 4 if a rule can be broken unnoticed. Begins with the history that Tests/Mutants/rules.txt notes for a rule. Three rules are tried by the exploration that --explore makes, and not by histories. Only the copy of the sources that deploy/mutants.sh makes has rules that can be broken."
        ))
    var mutants = false

    @Option(
        help: ArgumentHelp(
            "Break only the rules whose name contains this, and print the histories that notice.", valueName: "name"))
    var breaking: String?

    @Flag(help: "Print every move and every record of one history, and of the shortest one with the same failure.")
    var verbose = false

    func validate() throws {
        if let histories, histories < 1 { throw ValidationError("--histories must be at least 1.") }
        if failures < 1 { throw ValidationError("--failures must be at least 1.") }
        if let width, width < 1 { throw ValidationError("--width must be at least 1.") }
        if histories ?? 1 > 1, verbose { throw ValidationError("--verbose shows one history: leave --histories out.") }
        if [explore, mutants, breaking != nil].count(where: { $0 }) > 1 {
            throw ValidationError("--explore, --mutants and --breaking can't be used together.")
        }
        if explore || mutants || breaking != nil, verbose || coverage {
            throw ValidationError("--verbose and --coverage can't be used with --explore, --mutants or --breaking.")
        }
    }

    func run() async throws {
        if explore { return try exploreOrders() }
        if mutants || breaking != nil { return try await mutate() }
        if verbose {
            var simulation = Simulation()
            simulation.isTranscribed = true
            let outcome = await simulation.run(SimulationScript(seed: seed))
            for line in outcome.transcript { print(line) }
            print("trace \(String(outcome.trace, radix: 16))")
            try await conclude(outcome.report, outcome.violations.isEmpty ? [] : [outcome])
            return
        }
        let histories = histories ?? 1
        var simulation = Simulation()
        simulation.isSurveyed = coverage
        var campaign = SimulationCampaign(
            simulation, firstSeed: seed, histories: histories,
            width: width ?? ProcessInfo.processInfo.activeProcessorCount)
        campaign.maximumFailures = failures
        let isTerminal = isatty(STDERR_FILENO) == 1
        let started = ContinuousClock.now
        let (report, failed) = await campaign.run { report, failed in
            guard report[.histories] % (isTerminal ? 50 : 1_000) == 0 else { return }
            let seconds = max(0.001, Double(started.duration(to: .now).components.seconds))
            let rate = Int(Double(report[.histories]) / seconds)
            let line = "\(report[.histories]) of \(histories) histories, \(rate)/s, \(failed.count) failed"
            FileHandle.standardError.write(Data((isTerminal ? "\r\(line)" : "\(line)\n").utf8))
        }
        if isTerminal { FileHandle.standardError.write(Data("\n".utf8)) }
        if coverage {
            for (name, count) in report.coverage.counts.sorted(by: { $0.key < $1.key }) { print("\(count)  \(name)") }
            for name in report.coverage.missing { print("never reached: \(name)") }
            for name in report.coverage.surprising { print("listed as unreachable, and reached: \(name)") }
        }
        try await conclude(report, failed)
        if coverage, !report.coverage.missing.isEmpty || !report.coverage.surprising.isEmpty { throw ExitCode.failed }
    }

    private func exploreOrders() throws {
        for part in JournalExploration.parts {
            let outcome = JournalExploration(part.budget).run()
            print(
                "\(part.name), \(part.budget.requests) request\(part.budget.requests == 1 ? "" : "s"): \(outcome.states) states, \(outcome.restingStates) of them at rest, "
                    + "\(outcome.depth) moves deep")
            fflush(nil)
            if let violation = outcome.violation {
                print("broken: \(violation)\nthe shortest way to it:")
                for move in outcome.way { print("  \(move)") }
            }
            if !outcome.isComplete { throw ExitCode.failed }
        }
    }

    private func mutate() async throws {
        let all = SimulationMutant.all
        if all.isEmpty {
            throw ValidationError(
                "No rule can be broken in this build. Rules can be broken in a copy of the sources, which this command makes, builds and runs: deploy/mutants.sh"
            )
        }
        let chosen = breaking.map { name in all.filter { $0.name.lowercased().contains(name.lowercased()) } } ?? all
        if chosen.isEmpty {
            throw ValidationError("There is no such rule; there are \(all.map(\.name).joined(separator: ", ")).")
        }
        var campaign = SimulationCampaign(
            firstSeed: seed, histories: histories ?? 4_000,
            width: width ?? ProcessInfo.processInfo.activeProcessorCount)
        campaign.maximumFailures = failures
        var survivors = 0
        for mutant in chosen {
            if mutant.exploration != nil {
                let found = mutant.explore()
                if found == nil { survivors += 1 }
                let text = found.map {
                    "found by the exploration '\($0.part)' in state \($0.outcome.states): \($0.outcome.violation ?? "")"
                }
                print("\(mutant.name): \(text ?? "NOT FOUND by any exploration")")
                fflush(nil)
                if breaking != nil { for move in found?.outcome.way ?? [] { print("  \(move)") } }
                continue
            }
            let noted = mutants ? mutant.history : nil
            var failed: [SimulationOutcome] = []
            if let noted { failed = await mutant.run(SimulationCampaign(seeds: [noted])) }
            if failed.isEmpty { failed = await mutant.run(campaign) }
            if let first = failed.first {
                let violation = first.violations.first.map { "\($0)" } ?? ""
                let stale = noted.map { $0 == first.script.seed ? "" : " (noted: \($0))" } ?? ""
                print("\(mutant.name): found by history \(first.script.seed)\(stale): \(violation.prefix(160))")
            } else {
                survivors += 1
                print("\(mutant.name): NOT FOUND in \(campaign.histories) histories")
            }
            fflush(nil)
            if breaking != nil, let first = failed.first {
                print(first.script)
                for violation in first.violations { print("  \(violation)") }
            }
        }
        print("rules: \(chosen.count), found when broken: \(chosen.count - survivors)")
        if survivors > 0 { throw ExitCode.failed }
    }

    private func conclude(_ report: SimulationReport, _ failed: [SimulationOutcome]) async throws {
        print(SimulationTable(report, failed: failed.count).text)
        for outcome in failed {
            let least = await Simulation().shrink(outcome.script)
            if verbose {
                var simulation = Simulation()
                simulation.isTranscribed = true
                for line in await simulation.run(least.script).transcript { print(line) }
            }
            print(
                "\nseed \(outcome.script.seed) breaks a guarantee. Shrunk to \(least.script.count) of \(outcome.script.count) moves:\n\(least.script)"
            )
            for violation in least.violations { print("  \(violation)") }
            print("to repeat: intents-simulator --seed \(outcome.script.seed)")
        }
        if !failed.isEmpty { throw ExitCode.failed }
    }
}

/// The totals of the histories, one number per line.
private struct SimulationTable {
    let text: String

    init(_ report: SimulationReport, failed: Int) {
        var rows = SimulationReport.Total.allCases.map { ($0.rawValue, report[$0]) }
        for status in Completion.Status.allCases {
            rows.append(("completed: \(status.rawValue)", report.completions[status] ?? 0))
        }
        for (fault, count) in report.faults.sorted(by: { $0.key < $1.key }) { rows.append((fault, count)) }
        rows.append(("broken guarantees", failed))
        let width = rows.map(\.0.count).max() ?? 0
        text = rows.map { name, count in name + String(repeating: " ", count: width - name.count + 2) + "\(count)" }
            .joined(separator: "\n")
    }
}
