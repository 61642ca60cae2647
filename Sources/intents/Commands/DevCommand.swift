import ArgumentParser
import Foundation
import IntentEvents
import Intents
import PipelineService

/// How big a pipeline of child processes is.
struct SizeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Coordinator processes.", valueName: "count")) var coordinators = 1
    @Option(help: ArgumentHelp("Resolver processes.", valueName: "count")) var resolvers = 1
    @Option(help: ArgumentHelp("Confirmer processes.", valueName: "count")) var confirmers = 1
    @Option(help: ArgumentHelp("Handler processes.", valueName: "count")) var handlers = 1
    @Option(help: ArgumentHelp("Partitions of every topic.", valueName: "count")) var partitions: Int32 = 4

    func validate() throws {
        for (name, count) in [
            ("coordinators", coordinators), ("resolvers", resolvers), ("confirmers", confirmers), ("handlers", handlers),
            ("partitions", Int(partitions)),
        ] where count < 1 || count > 64 {
            throw ValidationError("--\(name) is from 1 to 64.")
        }
    }

    var size: DevelopmentPipeline.Size {
        .init(coordinators: coordinators, resolvers: resolvers, confirmers: confirmers, handlers: handlers, partitions: partitions)
    }
}

struct DevCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dev", abstract: "Run a whole pipeline on this machine, until Ctrl-C.",
        discussion: """
            Starts the development broker (unless --bootstrap-servers names a Kafka), the topics, a coordinator, and the workers of the sample domains, each \
            in a process of its own. One that dies is started again. The development broker keeps everything in memory: not for production.
            """)

    @OptionGroup var kafka: KafkaOptions
    @OptionGroup var size: SizeOptions

    @Option(help: ArgumentHelp("Where to write {\"bootstrapServers\":…} once all have joined.", valueName: "path"))
    var readyFile: String?

    @Option(
        help: ArgumentHelp(
            "Let the workers serve the intents that are defined in *.intents.yaml and *.intents.json here, too. Read anew on SIGHUP.",
            valueName: "folder"))
    var definitions: String?

    @Option(help: "What the processes log, to standard error.")
    var logLevel = "warning"

    func run() async throws {
        let pipeline = DevelopmentPipeline(kafka, size: size.size, definitions: definitions, logLevel: logLevel)
        pipeline.report = { complain("  \($0)") }
        let (topics, readyFile) = (kafka.topics, readyFile)
        do {
            try await pipeline.run { servers, _ in
                if let readyFile {
                    let ready = JSON.object(["bootstrapServers": .string(servers)])
                    try Data(ready.bytes).write(to: URL(fileURLWithPath: readyFile), options: .atomic)
                }
                print(
                    """
                    The pipeline runs at \(servers). Ctrl-C ends it.

                      export KAFKA_BOOTSTRAP_SERVERS=\(servers)
                      intents chat RequestRide

                      kcat -b \(servers) -t \(topics.results) -C -o end -u -f '%k  %s\\n'
                      echo 'me:{"intent":"RequestRide","parameters":{"dropOff":"Airport"}}' | \\
                        kcat -b \(servers) -t \(topics.requests) -P -K : -X topic.partitioner=murmur2_random
                    """)
                fflush(nil)
                await untilInterrupted()
            }
        } catch let error as PipelineDied {
            complain("\(error)")
            throw ExitCode.failed
        }
    }
}
