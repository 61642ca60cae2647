import ArgumentParser
import Foundation
import IntentModel
import PipelineService

@main
struct SGDReplay: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sgd-replay",
        abstract:
            "Play recorded conversations of the Schema-Guided Dialogue dataset through the pipeline, and score it.",
        discussion: """
            Turns the services of a schema file into definition files, plays the person's side of each dialogue through the topics, replies to the \
            pipeline's calls over HTTP with the recorded results, and compares the calls that arrive with the recorded ones: the same method with \
            the same parameters, in the same order.

            Starts a pipeline with these definitions on the development broker, or on the Kafka that --bootstrap-servers names, with its own topics. \
            Exit status: 0 if every dialogue was played, whatever the score; 2 for wrong arguments or files; 4 for other failures.

            The dataset: github.com/google-research-datasets/dstc8-schema-guided-dialogue (Rastogi et al., AAAI 2020; CC BY-SA 4.0).
            """,
        version: PipelineVersion.text)

    @Option(help: ArgumentHelp("The services: a schema.json of the dataset.", valueName: "file"))
    var schema: String

    @Option(
        help: ArgumentHelp(
            "The dialogues, one on each line; a file that ends in .gz is decompressed.", valueName: "file"))
    var dialogues: String

    @Option(help: ArgumentHelp("Play only this many dialogues from the start of the file.", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("How many dialogues are played at the same time.", valueName: "count"))
    var window = 64

    @Option(help: ArgumentHelp("Where to write the report, as JSON.", valueName: "file"))
    var report: String?

    @Option(
        help: ArgumentHelp(
            "How many dialogues that differ from their recording are printed in full.", valueName: "count"))
    var show = 5

    @Option(help: ArgumentHelp("A dialogue fails when neither side says anything for this long.", valueName: "seconds"))
    var patience = 60

    @Flag(help: "Say each value only once: the session's memory has to supply it in later requests.")
    var saidOnly = false

    @OptionGroup var kafka: KafkaOptions

    func validate() throws {
        if window < 1 { throw ValidationError("--window must be at least 1.") }
        if let limit, limit < 1 { throw ValidationError("--limit must be at least 1.") }
        if patience < 1 { throw ValidationError("--patience must be at least 1.") }
    }

    func run() async throws {
        let services = try DatasetFiles.services(schema)
        let all = try DatasetFiles.dialogues(dialogues, limit: limit)
        let recordings = RecordedServices()
        let server = try await ServiceServer { recordings.answer($0) }
        let definitions = SchemaDefinitions(
            services: services, remembersAll: saidOnly, url: "http://127.0.0.1:\(server.port)/")
        var kafka = kafka
        kafka.topicPrefix = kafka.topicPrefix ?? "sgd-\(PersonClient.newID().prefix(8))"
        var arguments =
            kafka.bootstrapServers.map { kafka.arguments(bootstrapServers: $0) } ?? [
                "--topic-prefix", kafka.topicPrefix ?? "",
            ]
        arguments += ["--fulfilment-hosts", "127.0.0.1:\(server.port)"]
        let pipeline = try ReplayPipeline(definitions.files, arguments: arguments)
        defer { pipeline.stop() }
        complain("starting a pipeline with the definitions of \(services.all.count) services")
        let servers = try await pipeline.start()
        let client = try PersonClient(kafka.connecting(to: servers, properties: []), name: "sgd-replay")
        defer { client.close() }
        try await client.follow(fromBeginning: false)
        let replay = Replay(
            dialogues: all, services: services, recordings: recordings, client: client, window: window,
            patience: .seconds(patience),
            saysOnce: saidOnly)
        var progress = ReplayProgress(total: all.count)
        let started = ContinuousClock.now
        let scores = try replay.run { progress.show($0) }
        progress.end()
        let result = ReplayReport(
            scores: scores, duration: started.duration(to: .now), gaps: client.gaps, copies: client.copies)
        let disagreements = result.disagreements(show)
        if !disagreements.isEmpty { print("\(disagreements)\n") }
        print(result.table)
        if let report { try Data(result.json.bytes).write(to: URL(fileURLWithPath: report)) }
        try await server.close()
    }

    static func main() async { await runAsProgram() }
}
