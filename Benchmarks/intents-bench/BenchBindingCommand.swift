import ArgumentParser
import IntentModel
import PipelineService

struct BenchBindingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "binding", abstract: "Measure the cost of binding a work record to a Swift intent.",
        discussion: """
            Uses the record of a work item for an intent with six parameters (place, place, number, enumeration, date, amount of money), and \
            measures, in this process and without Kafka: parsing its JSON, decoding the work item, binding it to the intent, both together, and \
            a whole resolve round. Times are per event, in microseconds; each is the median over the batches. Build with -c release.
            """)

    @Option(help: ArgumentHelp("Events per batch, each timed separately.", valueName: "count")) var events = 20_000
    @Option(help: ArgumentHelp("Batches of each part, alternating.", valueName: "count")) var batches = 5
    @Flag(help: "Print the figures as JSON.") var json = false

    func validate() throws {
        for (name, value) in [("events", events), ("batches", batches)] where value < 1 {
            throw ValidationError("--\(name) must be at least 1.")
        }
    }

    func run() async throws {
        let bench = try BindingBench()
        let figures = try await bench.measure(events: events, batches: batches)
        if json { return print(JSON.array(figures.map(\.json))) }
        print(
            "\(bench.bytes) bytes, \(BenchRide.parameterCount) parameters; microseconds per event, \(batches) batches of \(events)"
        )
        for figure in figures { print(figure.text) }
    }
}
