import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// Sends requests and measures their throughput, latency and cost.
struct Load {
    struct Figures: Sendable {
        var intents = 0
        var failed = 0
        var duration = Duration.zero
        /// The times from when a request was due to its completion, sorted.
        var latencies: [Duration] = []
        /// CPU time by process.
        var cpu: [(name: String, microseconds: Double)] = []
        /// Resident memory in MiB by process, halfway and at the end.
        var memory: [(name: String, middle: Double, end: Double)] = []

        var perSecond: Double { Double(intents) / (duration / .seconds(1)) }
        func percentile(_ share: Double) -> Double {
            latencies.isEmpty ? 0 : latencies[min(latencies.count - 1, Int(Double(latencies.count) * share))] / .milliseconds(1)
        }
        /// CPU time in microseconds per intent, of the pipeline's processes: without the broker and without this program.
        var ownCPU: Double {
            cpu.filter { $0.name != "broker" && $0.name != "bench" }.reduce(0) { $0 + $1.microseconds } / Double(max(intents, 1))
        }

        var text: String {
            let count = Double(max(intents, 1))
            return """
                  intents           \(intents) (\(failed) failed) in \(String(format: "%.2f", duration / .seconds(1))) s: \(Int(perSecond)) per second
                  latency           p50 \(String(format: "%.1f", percentile(0.5))) ms, p99 \(String(format: "%.1f", percentile(0.99))) ms
                  CPU per intent    \(String(format: "%.1f", ownCPU)) us in the pipeline: \(cpu.map { "\($0.name) \(String(format: "%.1f", $0.microseconds / count))" }.joined(separator: ", "))
                  memory, MiB       \(memory.map { "\($0.name) \(Int($0.middle)) to \(Int($0.end))" }.joined(separator: ", "))
                """
        }

        var json: JSON {
            .object([
                "intents": .number(intents), "failed": .number(failed), "perSecond": .number(perSecond), "p50_ms": .number(percentile(0.5)),
                "p99_ms": .number(percentile(0.99)), "cpu_us": .number(ownCPU),
                "cpu": .make { writer in
                    writer.beginObject()
                    for (name, microseconds) in cpu { writer.member(named: name, JSON.number(microseconds / Double(max(intents, 1)))) }
                    writer.endObject()
                },
                "memory_mib": .make { writer in
                    writer.beginObject()
                    for (name, middle, end) in memory { writer.member(named: name, JSON.array([.number(middle), .number(end)])) }
                    writer.endObject()
                },
            ])
        }
    }

    let client: PersonClient
    let intent: String
    let parameters: [ParameterState]
    let sessions: Int
    let processes: [String: Int32]
    private let run = PersonClient.newID().prefix(8)

    init(client: PersonClient, intent: String, parameters: [ParameterState], sessions: Int, processes: [String: Int32]) {
        self.client = client
        self.intent = intent
        self.parameters = parameters
        self.sessions = sessions
        self.processes = processes
    }

    func closedLoop(intents: Int, window: Int) throws -> Figures {
        try measure(intents) { sent, done, _ in sent - done < window }
    }

    func paced(rate: Int, seconds: Int) throws -> Figures {
        try measure(rate * seconds, skipping: 0.1) { sent, _, elapsed in
            Double(sent) <= elapsed * Double(rate)
        } due: {
            Duration.seconds(Double($0) / Double(rate))
        }
    }

    private func measure(
        _ count: Int, skipping: Double = 0, _ maySend: (_ sent: Int, _ done: Int, _ seconds: Double) -> Bool,
        due: ((Int) -> Duration)? = nil
    ) throws -> Figures {
        var figures = Figures()
        let label = PersonClient.newID().prefix(8)
        var starts: [ContinuousClock.Instant] = []
        starts.reserveCapacity(count)
        var latencies: [Duration] = []
        let before = usage()
        var middle: [String: Double] = [:]
        let start = ContinuousClock.now
        var last = start
        var done = 0
        while done < count {
            while starts.count < count, maySend(starts.count, done, start.duration(to: .now) / .seconds(1)) {
                let number = starts.count
                starts.append(due.map { start.advanced(by: $0(number)) } ?? .now)
                let request = IntentRequest(id: "\(label)-\(number)", intent: intent, parameters: parameters)
                try client.send(.requested(request), session: "bench-\(run)-\(number % sessions)", id: request.id)
            }
            let isPacing = due != nil && starts.count < count
            for result in try client.results(timeout: .milliseconds(isPacing ? 1 : 100)) {
                guard let request = result.request, request.hasPrefix(label), let number = Int(request.dropFirst(label.count + 1)) else {
                    continue
                }
                if let prompt = result.prompt {
                    try client.send(
                        .answered(Answer(prompt: prompt, action: .accept)), session: result.session ?? "", partition: result.partition)
                } else if let status = result.status {
                    last = .now
                    done += 1
                    if status != .success { figures.failed += 1 }
                    if number >= Int(Double(count) * skipping) { latencies.append(starts[number].duration(to: last)) }
                    if done == count / 2 { middle = memory() }
                }
            }
            guard last.duration(to: .now) < .seconds(60) else {
                throw ValidationError("\(count - done) of \(count) intents did not end within 60 s.")
            }
        }
        figures.intents = count
        figures.duration = start.duration(to: last)
        figures.latencies = latencies.sorted()
        let after = usage()
        figures.cpu = after.map { ($0.key, $0.value - (before[$0.key] ?? 0)) }.sorted { $0.name < $1.name }
        let end = memory()
        figures.memory = end.map { ($0.key, middle[$0.key] ?? 0, $0.value) }.sorted { $0.name < $1.name }
        return figures
    }

    /// CPU time in microseconds by process. The kernel counts it in ticks of 10 ms.
    private func usage() -> [String: Double] {
        var usage: [String: Double] = [:]
        for (name, pid) in processes.merging(["bench": getpid()], uniquingKeysWith: { $1 }) {
            guard let stat = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8), let close = stat.lastIndex(of: ")") else {
                continue
            }
            let fields = stat[close...].split(separator: " ")
            guard fields.count > 12, let user = Double(fields[12]), let system = Double(fields[13]) else { continue }
            usage[name] = (user + system) * 1_000_000 / Double(sysconf(Int32(_SC_CLK_TCK)))
        }
        return usage
    }

    private func memory() -> [String: Double] {
        processes.compactMapValues { pid in
            guard let status = try? String(contentsOfFile: "/proc/\(pid)/status", encoding: .utf8),
                let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmRSS:") }),
                let kilobytes = line.split(separator: " ").compactMap({ Double($0) }).first
            else { return nil }
            return kilobytes / 1_024
        }
    }
}
