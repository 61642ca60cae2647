import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordEncryption
import RecordLog

extension SessionCommand {
    struct End: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "End a session in any stage.",
            usage: "\(PipelineProgram.tool) session end <session> [<options>]",
            discussion: """
                The coordinator completes its requests as cancelled, gives a running handler its time to clean up, and deletes the session when \
                its last result is acknowledged. The command waits for that. Ending a session that is not open has no effect. The ids of its \
                requests stay known for their time, so that a repeat of one is not run again.
                """)

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var ending: EndingOptions

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            if try await ending.end(client).wasOpen {
                print(JSON.object(["session": .string(ending.session), "ended": .bool(true)]))
            } else {
                complain("The session '\(ending.session)' is not open.")
            }
        }
    }

    struct Purge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "End a session, destroy its keys, and list which of its records stay in the log, where and until when.",
            usage: "\(PipelineProgram.tool) session purge <session> [<options>]",
            discussion: """
                In the journal, a record with nothing but the ids of its requests replaces the session's state, so that a repeat of one is not run \
                again; when their time has passed, a tombstone deletes them. Compaction then removes the older records. The other topics are logs that \
                all sessions share: Kafka can't delete single records of them, so the session's records stay until their retention \
                (a week, as set by '\(PipelineProgram.tool) topics apply') has passed. Each topic is listed with that time. To keep records for a shorter time, \
                set a shorter retention.ms, and pass it here with --retention-hours.

                If the pipeline encrypts (--encryption-key-file), the session's keys in intents.keys are destroyed: what was encrypted with them can't be \
                read any more once Kafka has compacted intents.keys and intents.sessions, which takes an hour or more. Requests and answers are not \
                encrypted, and deferred outcomes have keys of their own.
                """)

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var ending: EndingOptions

        @Option(help: ArgumentHelp("The retention of all topics except the journal, in hours.", valueName: "hours"))
        var retentionHours: Int = 168

        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard 1...1_000_000 ~= retentionHours else {
                throw ValidationError("--retention-hours must be from 1 to 1000000.")
            }
        }

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let (wasOpen, partition, known) = try await ending.end(client)
            if !wasOpen { complain("The session '\(ending.session)' is not open.") }
            let log = try OperatorClient(kafka, isPlain: true)
            defer { log.close() }
            var keys = SessionKeys()
            // The keys, the catalogue and the memory across sessions belong to no session.
            let others = [log.topics.keys, log.topics.catalog, log.topics.memory, log.topics.memoryChanges]
            for topic in log.topics.all where !others.contains(topic) {
                let rest = try remains(TopicPartition(topic, partition), known, log, &keys)
                print(output.isJSON ? rest.json.description : rest.text)
            }
            let destroyed = keys.destroyable
            if destroyed.isEmpty { return }
            for id in destroyed { try log.send(KeyRecord.tombstone(id, topic: log.topics.keys, partition: partition)) }
            try log.flush()
            print(
                output.isJSON
                    ? JSON.object(["topic": .string(log.topics.keys), "destroyedKeys": .number(destroyed.count)])
                        .description
                    : "\(log.topics.keys)\t\(destroyed.count) destroyed: what is encrypted with them can't be read any more once Kafka has compacted it"
            )
        }

        private func remains(
            _ partition: TopicPartition, _ known: Instant?, _ client: OperatorClient, _ keys: inout SessionKeys
        ) throws -> SessionRemains {
            let isJournal = partition.topic == client.topics.sessions
            var rest = SessionRemains(
                topic: partition.topic, isJournal: isJournal, retention: retentionHours,
                knownUntil: isJournal ? known : nil)
            let key = Bytes(ending.session.utf8)
            try client.scan(partition) { record in
                guard record.key == key else { return true }
                if record.value != nil { rest.add(record) }
                let id = KeyRecord.id(of: record)
                if let id { keys.all.insert(id) }
                if isJournal { keys.inUse = id }
                return true
            }
            return rest
        }
    }
}

/// The keys that encrypt a session's records.
private struct SessionKeys {
    var all: Set<String> = []
    /// The key of the newest record in the journal. It stays if the session was opened again.
    var inUse: String?

    var destroyable: [String] { all.filter { $0 != inUse }.sorted() }
}

/// The options for the session to end.
struct EndingOptions: ParsableArguments {
    @Argument(help: "The session.")
    var session: Identifier

    @Option(help: "The reason; it is part of the completions of its requests.")
    var reason: String?

    @Option(help: ArgumentHelp("How long to wait for its end, in seconds.", valueName: "seconds"))
    var timeout: Int = 60

    func validate() throws {
        if timeout < 1 { throw ValidationError("--timeout must be at least 1.") }
    }

    /// Asks the coordinator to end the session, and waits until the journal has forgotten it.
    ///
    /// - Returns: `wasOpen` is `true` if the session was open. `known` is the time until which repeats of its requests
    ///   are ignored.
    /// - Throws: ``ArgumentParser/ExitCode/timedOut`` if the session is not forgotten in time.
    func end(_ client: OperatorClient) async throws -> (wasOpen: Bool, partition: Int32, known: Instant?) {
        var (found, partition, journal) = try await client.find(session)
        guard found != nil else { return (false, partition, journal.knownUntil(session)) }
        try client.send(.ended(reason: reason), session: session, partition: partition, from: Principal(.system, ""))
        let isEnded = try client.follow(
            TopicPartition(client.topics.sessions, partition), from: journal.next, within: .seconds(timeout)
        ) { record in
            journal.apply(record)
            return journal.sessions[session] == nil || journal.knownUntil(session) != nil
        }
        guard isEnded else {
            complain("The session has not ended within \(timeout) seconds: is a coordinator running?")
            throw ExitCode.timedOut
        }
        return (true, partition, journal.knownUntil(session))
    }
}
