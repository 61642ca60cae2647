import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog

struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters", abstract: "List, show, replay and drop what nobody could read.",
        discussion: "A dead letter goes by partition/offset of the topic of dead letters, as in 3/42.",
        subcommands: [List.self, Show.self, Replay.self, Drop.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the dead letters that nobody has dealt with.",
            discussion:
                "Letter, session, where it comes from, who gave it up, reason, message, attempt and age; with --all, what became of it.")

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var filter: DeadLetterFilter

        @Flag(help: "Also those that were replayed or dropped.")
        var all = false

        @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
        var limit: Int = 1_000

        @Option(help: "How to show them: text, or a JSON object a line.")
        var output: OutputForm = .text

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        }

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            var shown = 0
            var hasMore = false
            for partition in 0..<(try await client.partitions()) where !hasMore {
                let range = try client.range(of: TopicPartition(client.topics.deadLetters, partition))
                let marks = try client.deadLetterMarks(partition, range)
                try client.deadLetters(partition, range) { letter in
                    guard filter.takes(letter), all || marks[letter.offset] == nil else { return true }
                    hasMore = shown >= limit
                    if hasMore { return false }
                    shown += 1
                    let text = DeadLetterText(letter: letter, mark: marks[letter.offset])
                    print(output == .json ? text.json(isWhole: false).description : text.line(at: .now))
                    return true
                }
            }
            if hasMore { complain("There are more than \(limit): --limit shows more.") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a dead letter whole: why it is one, and its headers and bytes.",
            discussion: "Bytes are shown as text if they are UTF-8, else in hexadecimal. Nothing in them is hidden: they could not be read."
        )

        @OptionGroup var kafka: KafkaOptions

        @Argument(help: ArgumentHelp("The letter.", valueName: "partition/offset"), transform: DeadLetterPlace.reading)
        var letter: DeadLetterPlace

        @Option(help: "How to show it: text, or a JSON object.")
        var output: OutputForm = .text

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            try await client.check([letter])
            guard let found = try client.deadLetter(at: letter) else {
                complain("No dead letter stands at \(letter).")
                throw ExitCode.failed
            }
            let marks = try client.deadLetterMarks(letter.partition, letter.offset..<(.max))
            let text = DeadLetterText(letter: found, mark: marks[letter.offset])
            print(output == .json ? text.json(isWhole: true).description : text.whole)
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put dead letters back where they came from, once whoever could not read them can.",
            discussion: """
                Key, value and headers are written as they were, with the id that the event had: if it was accepted meanwhile, it is known again. \
                Refused is what can't work: what this version can't read either, and work, which only the coordinator gives out. Replayed letters are \
                listed no longer.
                """)

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var choice: DeadLetterChoice

        func run() async throws { try await choice.run(.replayed, kafka) }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark dead letters as dealt with: they are listed no longer, and stay until the topic's retention has passed.")

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var choice: DeadLetterChoice

        func run() async throws { try await choice.run(.dropped, kafka) }
    }
}

/// Which dead letters to deal with, and how.
struct DeadLetterChoice: ParsableArguments {
    @Argument(help: ArgumentHelp("The letters.", valueName: "partition/offset"), transform: DeadLetterPlace.reading)
    var letters: [DeadLetterPlace] = []

    @Flag(help: "All that nobody has dealt with and that the options below are true of.")
    var all = false

    @OptionGroup var filter: DeadLetterFilter

    @Flag(help: "Also what was dealt with before, or can't be read by this version.")
    var force = false

    @Option(help: "Who does it; the user's name unless given.")
    var by: String?

    func validate() throws {
        guard letters.isEmpty == all else { throw ValidationError("Give letters as partition/offset, or --all.") }
        if !all, !filter.isEmpty { throw ValidationError("--session, --from, --stage and --reason go with --all.") }
    }

    func run(_ kind: DeadLetterMark.Kind, _ kafka: KafkaOptions) async throws {
        let client = try OperatorClient(kafka)
        defer { client.close() }
        var work = DeadLetterWork(client, kind, by: by, isForced: force)
        if all {
            try await work.dealWithAll(filter)
        } else {
            try await client.check(letters)
            try work.deal(with: letters)
        }
        if work.refused > 0 {
            complain("\(work.done) \(kind.rawValue), \(work.refused) refused.")
            throw ExitCode.failed
        }
    }
}

extension OperatorClient {
    /// - Throws: ``ArgumentParser/ExitCode/failed`` if one names a partition that is not there.
    fileprivate func check(_ places: [DeadLetterPlace]) async throws {
        let count = try await partitions()
        guard let wrong = places.first(where: { $0.partition >= count }) else { return }
        complain("\(wrong): there are \(count) partitions, from 0.")
        throw ExitCode.failed
    }
}

extension DeadLetterPlace {
    static func reading(_ text: String) throws -> DeadLetterPlace {
        guard let place = DeadLetterPlace(text) else { throw ValidationError("'\(text)' is not partition/offset, such as 3/42.") }
        return place
    }
}
