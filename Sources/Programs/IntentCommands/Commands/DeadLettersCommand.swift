import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService
import RecordLog

struct DeadLettersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dead-letters", abstract: "List, show, replay and drop records that could not be processed.",
        discussion: "A dead letter is identified by its partition/offset in the topic of dead letters, such as 3/42.",
        subcommands: [List.self, Show.self, Replay.self, Drop.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the open dead letters.",
            usage: "\(PipelineProgram.tool) dead-letters list [<options>]",
            discussion:
                "Shows letter, session, original position, stage, reason, message, attempt and age; with --all, also if it was replayed or dropped."
        )

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var filter: DeadLetterFilter

        @Flag(help: "Include those that were replayed or dropped.")
        var all = false

        @Option(help: ArgumentHelp("The maximum number to show.", valueName: "count"))
        var limit: Int = 1_000

        @OptionGroup var output: OutputOptions

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
                    guard filter.matches(letter), all || marks[letter.offset] == nil else { return true }
                    hasMore = shown >= limit
                    if hasMore { return false }
                    shown += 1
                    let text = DeadLetterText(letter: letter, mark: marks[letter.offset])
                    print(
                        output.isJSON ? letter.json(mark: text.mark, isWhole: false).description : text.line(at: .now))
                    return true
                }
            }
            if hasMore { complain("There are more than \(limit): --limit shows more.") }
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show all of a dead letter: its reason, headers and bytes.",
            usage: "\(PipelineProgram.tool) dead-letters show <partition/offset> [<options>]",
            discussion:
                "Bytes are shown as text if they are UTF-8, else in hexadecimal. Secrets are not hidden: the record could not be read."
        )

        @OptionGroup var kafka: KafkaOptions

        @Argument(help: ArgumentHelp("The letter.", valueName: "partition/offset"), transform: DeadLetterPlace.reading)
        var letter: DeadLetterPlace

        @OptionGroup var output: OutputOptions

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            try await client.check([letter])
            guard let found = try client.deadLetter(at: letter) else {
                complain("There is no dead letter at \(letter).")
                throw ExitCode.failed
            }
            let marks = try client.deadLetterMarks(letter.partition, letter.offset..<(.max))
            let text = DeadLetterText(letter: found, mark: marks[letter.offset])
            print(output.isJSON ? found.json(mark: text.mark, isWhole: true).description : text.whole)
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Write dead letters back to their original topics, once the program that could not read them is fixed.",
            discussion: """
                Writes the original key, value and headers, with the id of the event, so an event that was accepted meanwhile is recognised. \
                Before that, it reads the record at the place that the letter names, and refuses the letter if that record is another one or \
                gone: workers may write dead letters, so a letter alone proves nothing. Also refuses records that this version can't read either. \
                --force replays such a letter, one at a time. Only requests and outcomes are replayed, never work, which only the coordinator \
                dispatches. Replayed letters are not listed any more.
                """)

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var choice: DeadLetterChoice

        func run() async throws { try await choice.run(.replayed, kafka) }
    }

    struct Drop: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Mark dead letters as dropped: they are not listed any more, and stay until the topic's retention has passed."
        )

        @OptionGroup var kafka: KafkaOptions
        @OptionGroup var choice: DeadLetterChoice

        func run() async throws { try await choice.run(.dropped, kafka) }
    }
}

/// The selection of dead letters to replay or drop.
struct DeadLetterChoice: ParsableArguments {
    @Argument(help: ArgumentHelp("The letters.", valueName: "partition/offset"), transform: DeadLetterPlace.reading)
    var letters: [DeadLetterPlace] = []

    @Flag(help: "All open letters that match the options below.")
    var all = false

    @OptionGroup var filter: DeadLetterFilter

    @Flag(
        help: """
            Deal with the letter also if it was replayed or dropped before, if this version can't read it, or if its original is gone or another \
            record. Takes one letter.
            """)
    var force = false

    @Option(help: "The operator's name. Defaults to the user's name.")
    var by: String?

    func validate() throws {
        guard letters.isEmpty == all else { throw ValidationError("Give letters as partition/offset, or --all.") }
        if force, all || letters.count != 1 {
            throw ValidationError(
                "--force takes one letter: look at it with '\(PipelineProgram.tool) dead-letters show', and give its partition/offset."
            )
        }
        if !all, !filter.isEmpty { throw ValidationError("--session, --from, --stage and --reason require --all.") }
    }

    func run(_ kind: DeadLetterMark.Kind, _ kafka: KafkaOptions) async throws {
        let client = try OperatorClient(kafka)
        defer { client.close() }
        let partitions = try await client.check(letters)
        var work = DeadLetterWork(client, kind, partitions: partitions, by: by, isForced: force)
        if all { try work.processAll(filter) } else { try work.process(letters) }
        if work.refused > 0 {
            complain("\(work.done) \(kind.rawValue), \(work.refused) refused.")
            throw ExitCode.failed
        }
    }
}

extension OperatorClient {
    /// Checks that the partitions of these places exist.
    ///
    /// - Returns: The partition count of each topic.
    /// - Throws: ``ArgumentParser/ExitCode/failed`` if a place names a partition that does not exist.
    @discardableResult
    fileprivate func check(_ places: [DeadLetterPlace]) async throws -> Int32 {
        let count = try await partitions()
        guard let wrong = places.first(where: { $0.partition >= count }) else { return count }
        complain("\(wrong): there are \(count) partitions, numbered from 0.")
        throw ExitCode.failed
    }
}

extension DeadLetterPlace {
    static func reading(_ text: String) throws -> DeadLetterPlace {
        guard let place = DeadLetterPlace(text) else {
            throw ValidationError("'\(text)' is not partition/offset, such as 3/42.")
        }
        return place
    }
}
