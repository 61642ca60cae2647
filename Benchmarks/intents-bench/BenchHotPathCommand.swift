import ArgumentParser
import PipelineService

struct BenchHotPathCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hot-path", abstract: "Measure one part of the hot path in this process, without Kafka.",
        discussion: """
            Carries out intents with six parameters in one thread, on the model of Kafka's log, and measures one part: 'decision' (a coordinator \
            reads, decides, journals and sends), 'work' (a worker, from a work item to its outcome), 'replay' (a coordinator takes over: per \
            record of the journal) or 'binding' (parameters become a Swift intent). With '-telemetry' decision and work are measured with metrics, and with '-traced' with spans as well. deploy/instructions.sh counts their instructions, which noise \
            on the machine does not change. Build with -c release.
            """)

    @Argument(help: "The part: \(HotPathBench.Part.allCases.map(\.rawValue).joined(separator: ", ")).") var part:
        HotPathBench.Part
    @Option(help: ArgumentHelp("Intents to carry out.", valueName: "intents")) var count = 10_000

    func validate() throws { if count < 1 { throw ValidationError("--count must be at least 1.") } }

    func run() async throws {
        let figure = try await HotPathBench(part).measure(intents: count)
        let microseconds = figure.duration / .microseconds(1) / Double(max(figure.operations, 1))
        print("\(part.rawValue) \(figure.operations) operations, \((microseconds * 100).rounded() / 100) us each")
    }
}
