import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog

struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "List and forget what is remembered about a person beyond their sessions.",
        discussion: """
            Reads intents.memory, with the rights of an operator. What a session remembers by itself is shown by '\(PipelineProgram.tool) session show', and forgotten by '\(PipelineProgram.tool) \
            session forget'.
            """,
        subcommands: [List.self, Forget.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what is remembered about a person: key, value, for which intent and when it was said.",
            usage: "\(PipelineProgram.tool) memory list --principal <type:id> [<options>]")

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var person: PersonArgument

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let values = (try await client.memory()[person.person]?.values ?? []).filter { !$0.isOver(at: .now) }.sorted
            { $0.key < $1.key }
            if values.isEmpty { complain("Nothing is remembered about \(person.text).") }
            for value in values { print(output.isJSON ? value.json.description : value.text) }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget what is remembered about a person: these keys, or all.",
            usage: "\(PipelineProgram.tool) memory forget --principal <type:id> [<keys> ...] [<options>]",
            discussion: """
                Asks the coordinators, as the person's own side can do (session.forgotten.v1 with the scope person), and waits until it is done. Open requests \
                of the person are asked about what was forgotten; what is being handled goes on. Kafka removes the values when it compacts intents.memory, which \
                takes a day or more, and from intents.memory-changes after a week.
                """)

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var person: PersonArgument

        @Argument(help: "The keys. Defaults to all under which something is remembered.")
        var keys: [String] = []

        @Option(help: ArgumentHelp("How long to wait until it is done, in seconds.", valueName: "seconds"))
        var timeout: Int = 60

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let known = try await client.memory()[person.person]?.values ?? []
            if let unknown = keys.first(where: { key in !known.contains { $0.key == key } }) {
                complain("Nothing is remembered about \(person.text) under '\(unknown.printable)'.")
            }
            guard try await client.forget(keys.isEmpty ? nil : keys, of: person.person, within: .seconds(timeout))
            else {
                complain(
                    "It is not confirmed within \(timeout) seconds: is a coordinator running? It is forgotten once one has taken the request."
                )
                throw ExitCode.timedOut
            }
            for value in known where keys.isEmpty || keys.contains(value.key) { print(value.key.printable) }
        }

        func validate() throws {
            if timeout < 1 { throw ValidationError("--timeout must be at least 1.") }
            if let key = keys.first(where: { !RememberedValue.isKey($0) }) {
                throw ValidationError(
                    "'\(key.printable)' is no key: one has 1 to \(RememberedValue.maximumKeyBytes) bytes.")
            }
            if keys.count > Forgetting.maximumKeys {
                throw ValidationError("At most \(Forgetting.maximumKeys) keys can be named.")
            }
        }
    }
}

/// The argument for the person whose memory is listed or forgotten.
struct PersonArgument: ParsableArguments {
    @Option(
        name: .customLong("principal"),
        help: ArgumentHelp("The person: CloudEvents' authtype and authid, such as app_user:ann.", valueName: "type:id"),
        transform: PrincipalOption.reading)
    var person: Principal

    var text: String { "\(person.kind.rawValue):\(person.id)".printable }

    func validate() throws {
        guard person.isPerson else {
            throw ValidationError("'\(text)' is no person: only of user and app_user something is remembered.")
        }
    }
}

extension OperatorClient {
    /// Reads the memory of all people.
    fileprivate func memory() async throws -> PersonMemories {
        var memories = PersonMemories(maximumBytes: .max)
        for partition in 0..<(try await partitions()) {
            try scan(TopicPartition(topics.memory, partition)) { record in
                // Invalid records are ignored here, because the coordinators log them.
                if let memory = try? MemoryRecord(record) { memories.take(memory) }
                return true
            }
        }
        return memories
    }

    /// Asks the coordinators to forget values, in a new session.
    ///
    /// - Returns: `false` if there is no confirmation in time.
    /// - Throws: The reason of a rejection.
    fileprivate func forget(_ keys: [String]?, of person: Principal, within time: Duration) async throws -> Bool {
        let session = Identifier("forget-\(UUID().uuidString.lowercased())")
        let key = Bytes(session.utf8)
        let results = TopicPartition(topics.results, Murmur2.partition(of: key, count: try await partitions()))
        let end = try range(of: results).upperBound
        try send(
            .forgotten(Forgetting(keys: keys, scope: .person)), session: session, partition: results.partition,
            from: person)
        var rejection: String?
        let isDone = try follow(results, from: end, within: time) { record in
            guard record.key == key, let result = try? ReceivedResult(record) else { return false }
            if result.type == .rejected { rejection = result.data["message"]?.string ?? "rejected" }
            return result.type == .memoryForgotten || rejection != nil
        }
        if let rejection { throw LogError(.unsupported, "the coordinator has rejected it: \(rejection)") }
        return isDone
    }
}

extension RememberedValue {
    fileprivate var text: String {
        "\(key.printable)\t\(value.description.printable)\t\((intent ?? "-").printable)\t\(time)"
    }

    fileprivate var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("key", key)
            writer.member("value", value)
            writer.member("intent", ifPresent: intent)
            writer.member("time", time.description)
            writer.endObject()
        }
    }
}
