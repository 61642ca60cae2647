import ArgumentParser
import DevBroker
import Foundation
import IntentEvents
import PipelineService
import RDKafkaLog
import RecordLog

struct TopicsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "topics", abstract: "Create and list the pipeline's topics.", subcommands: [Apply.self, List.self])

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create the topics that are missing.",
            usage: "\(PipelineProgram.tool) topics apply [<options>]",
            discussion:
                "Existing topics stay unchanged. A different number of partitions is an error, and then nothing is created: it can't be changed while there are sessions."
        )

        @OptionGroup var kafka: KafkaOptions

        @Option(
            help: ArgumentHelp(
                """
                Partitions of every topic: the maximum number of coordinators, and of workers per phase, that share the load. Defaults to what the \
                topics have that are there, or \(Topics.usualPartitions).
                """, valueName: "count"))
        var partitions: Int32?

        @Option(help: ArgumentHelp("Copies of each partition; -1 uses the brokers' default.", valueName: "count"))
        var replicationFactor: Int = -1

        @Option(
            help: ArgumentHelp(
                """
                Copies that must have a record before it is acknowledged (min.insync.replicas). Defaults to 2 if --replication-factor is 3 or \
                more, and to the brokers' setting otherwise.
                """, valueName: "count"))
        var minInsyncReplicas: Int?

        @Option(help: ArgumentHelp("How long to wait for Kafka, in seconds.", valueName: "seconds"))
        var timeout: Int = 60

        func validate() throws {
            if let partitions, partitions < 1 { throw ValidationError("--partitions must be at least 1.") }
            if let minInsyncReplicas {
                if minInsyncReplicas < 1 { throw ValidationError("--min-insync-replicas must be at least 1.") }
                if replicationFactor > 0, minInsyncReplicas > replicationFactor {
                    throw ValidationError(
                        "--min-insync-replicas must not be more than --replication-factor: nothing could be written.")
                }
            }
        }

        func run() async throws {
            let log = try kafka.log()
            let deadline = ContinuousClock.now.advanced(by: .seconds(timeout))
            while true {
                do {
                    let existing = try await log.topics()
                    let count = try TopicCheck.partitions(partitions, beside: existing, kafka.topics)
                    let topics = kafka.topics.specifications(
                        partitions: count, replicationFactor: replicationFactor,
                        minimumInSyncReplicas: minInsyncReplicas)
                    let names = Set(existing.map(\.name))
                    try await log.createTopics(topics.filter { !names.contains($0.name) })
                    break
                } catch {
                    guard error.disposition == .retry else { throw error }
                    guard ContinuousClock.now < deadline else { throw LogError(.timedOut, error.message) }
                    complain("waiting for Kafka: \(error.message)")
                    try await ContinuousClock().sleep(for: .milliseconds(500))
                }
            }
            for name in kafka.topics.all { print(name) }
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the topics and check them.",
            usage: "\(PipelineProgram.tool) topics list [<options>]")

        @OptionGroup var kafka: KafkaOptions

        func run() async throws {
            let log = try kafka.log()
            let topics = try await log.topics()
            for topic in topics where topic.name.hasPrefix("\(kafka.topics.prefix).") {
                print("\(topic.name)\tpartitions \(topic.partitions)\treplicas \(topic.replicationFactor)")
            }
            _ = try TopicCheck.check(topics, kafka.topics, as: [.topicAdmin])
            try await TopicCheck.checkSettings(of: kafka.topics, as: [.topicAdmin], topics, in: log) { complain($1) }
        }
    }
}

struct BrokerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "broker", abstract: "Run the development broker alone.",
        discussion: """
            Prints its address as a JSON line to standard output. Keeps all data in memory: the newest 5 MiB of each partition. Asks nobody for credentials. Not for production.
            """)

    @Option(help: "The prefix of the names of the topics.")
    var topicPrefix = "intents"

    @Option(help: ArgumentHelp("Partitions of every topic.", valueName: "count"))
    var partitions: Int32 = 4

    @Option(help: "The port. 0 lets the system choose one.")
    var port: UInt16 = 0

    @Option(
        help: ArgumentHelp(
            "The IPv4 address to listen on; 0.0.0.0 for all of this machine's, as in a container.", valueName: "address"
        ))
    var listen = "127.0.0.1"

    @Option(
        help: ArgumentHelp(
            "The name by which clients reach the broker. Defaults to the address of --listen.", valueName: "host"))
    var advertise: String?

    @Flag(help: .hidden)
    var orAnyPort = false

    @Flag(help: .hidden)
    var stopWithInput = false

    func validate() throws {
        if listen == "0.0.0.0", advertise == nil {
            throw ValidationError("--listen 0.0.0.0 needs --advertise HOST: clients can't connect to 0.0.0.0.")
        }
        if let advertise, advertise.isEmpty || advertise.utf8.count > 253 || !advertise.utf8.allSatisfy(Self.isOfName) {
            throw ValidationError("--advertise must be the name of a machine, or an IPv4 address, without a port.")
        }
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        Character(UnicodeScalar(byte)).isLetter && byte < 0x80 || "0123456789-.".utf8.contains(byte)
    }

    func run() async throws {
        let topics = Topics(prefix: topicPrefix)
        let specifications = topics.specifications(partitions: partitions)
        let broker = try start(port, topics, specifications)
        print("{\"bootstrapServers\":\"\(broker.bootstrapServers)\"}")
        fflush(nil)
        if stopWithInput { stopProcessWithInput() }
        await untilInterrupted()
        broker.close()
    }

    private func start(_ port: UInt16, _ topics: Topics, _ specifications: [TopicSpecification]) throws
        -> DevelopmentBroker
    {
        func broker(_ port: UInt16) throws -> DevelopmentBroker {
            try DevelopmentBroker(
                host: listen, port: port, advertising: advertise,
                topics: Dictionary(uniqueKeysWithValues: specifications.map { ($0.name, $0.partitions) }),
                stamped: Set(
                    specifications.filter { $0.configuration[Topics.timestampType] == Topics.appendTime }.map(\.name)),
                inflationLimits: topics.inflationLimits(specifications))
        }
        if orAnyPort, let broker = try? broker(port) { return broker }
        return try broker(orAnyPort ? 0 : port)
    }
}

extension Topics {
    /// The maximum batch size of each topic that stores its batches uncompressed, in bytes. The development broker has
    /// no topic settings, so it gets the limits directly.
    fileprivate func inflationLimits(_ specifications: [TopicSpecification]) -> [String: Int] {
        let limits = specifications.filter { $0.configuration[Self.compressionType] == Self.uncompressed }.map {
            ($0.name, $0.configuration["max.message.bytes"].flatMap { Int($0) } ?? Self.maximumInputBytes)
        }
        return Dictionary(limits) { first, _ in first }
    }
}
