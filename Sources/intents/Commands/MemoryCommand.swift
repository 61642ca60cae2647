import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog

struct MemoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "memory", abstract: "List and forget what is remembered about a person beyond their sessions.",
        discussion: """
            Reads and writes intents.memory, with the rights of an operator. What a session remembers by itself is shown by 'intents session show', and \
            forgotten by 'intents session forget'.
            """,
        subcommands: [List.self, Forget.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List what is remembered about a person: key, value, where it comes from, and when it was said.",
            usage: "intents memory list --principal <type:id> [<options>]")

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var person: PersonArgument

        @Option(help: "The output form: text, or one JSON object per line.")
        var output: OutputForm = .text

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let values = try await client.memory().values(of: person.person)
            if values.isEmpty { complain("Nothing is remembered about \(person.text).") }
            for value in values { print(output == .json ? value.json.description : value.text) }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget what is remembered about a person: these keys, or all.",
            usage: "intents memory forget --principal <type:id> [<keys> ...] [<options>]",
            discussion: """
                Writes tombstones. The next request of the person is asked about what was forgotten; requests that have begun keep what they have. Kafka \
                removes the values when it compacts intents.memory, which takes a day or more.
                """)

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var person: PersonArgument

        @Argument(help: "The keys. Defaults to all under which something is remembered.")
        var keys: [String] = []

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let known = try await client.memory().values(of: person.person)
            if let unknown = keys.first(where: { key in !known.contains { $0.key == key } }) {
                complain("Nothing is remembered about \(person.text) under '\(unknown.printable)'.")
            }
            let forgotten = known.filter { keys.isEmpty || keys.contains($0.key) }
            try client.forget(forgotten, of: person.person)
            for value in forgotten { print(value.key.printable) }
        }
    }
}

/// The person whose memory it is about.
struct PersonArgument: ParsableArguments {
    @Option(
        name: .customLong("principal"),
        help: ArgumentHelp("The person: CloudEvents' authtype and authid, such as app_user:ann.", valueName: "type:id"),
        transform: PrincipalOption.reading)
    var person: Principal

    var text: String { "\(person.kind.rawValue):\(person.id)".printable }

    func validate() throws {
        guard person.isPerson else { throw ValidationError("'\(text)' is no person: only of user and app_user something is remembered.") }
    }
}

extension OperatorClient {
    /// All that is remembered about people.
    fileprivate func memory() async throws -> PersonMemories {
        var memories = PersonMemories(maximumBytes: .max)
        for partition in 0..<(try await partitions()) {
            try scan(TopicPartition(topics.memory, partition)) { record in
                // What can't be read is the business of the coordinators' logs.
                if let memory = try? MemoryRecord(record) { memories.take(memory, at: .now) }
                return true
            }
        }
        return memories
    }

    fileprivate func forget(_ values: [RememberedValue], of person: Principal) throws {
        var encoder = EventEncoder(source: "/intents/operator")
        for value in values {
            // Later than the value, whatever the clock of its coordinator is.
            let time = max(Instant.now, value.time.advanced(by: .milliseconds(1)))
            let forgotten = MemoryRecord(of: person, RememberedValue(key: value.key, value: nil, time: time))
            try send(encoder.record(forgotten, topics: topics, at: .now))
        }
        try flush()
    }
}

extension RememberedValue {
    fileprivate var text: String {
        let origin = source == .donated ? "donated" : "said"
        return "\(key.printable)\t\((value ?? .null).description.printable)\t\(origin)\t\((intent ?? "-").printable)\t\(time)"
    }

    fileprivate var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("key", key)
            writer.member("value", ifPresent: value)
            writer.member("source", source.rawValue)
            writer.member("intent", ifPresent: intent)
            writer.member("time", time.description)
            writer.endObject()
        }
    }
}
