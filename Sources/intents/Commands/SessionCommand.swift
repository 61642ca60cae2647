import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "List, show, end and purge sessions from outside.",
        subcommands: [List.self, Show.self, End.self, Purge.self, Forget.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the open sessions, as the journal says.",
            discussion: "Session, stage, intent, what it waits for, when it last changed, and how many requests wait in it.")

        @OptionGroup var kafka: KafkaOptions

        @Option(help: "Only those in this stage: idle, \(StageName.allCases.map(\.rawValue).joined(separator: ", ")).")
        var stage: String?

        @Option(help: "Only those whose active request is for this intent.")
        var intent: String?

        @Option(help: ArgumentHelp("At most so many.", valueName: "count"))
        var limit: Int = 1_000

        @Option(help: "How to show them: text, or a JSON object a line.")
        var output: OutputForm = .text

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
            if let stage, stage != "idle", StageName(rawValue: stage) == nil {
                throw ValidationError("'\(stage)' is none of idle, \(StageName.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            var shown = 0
            // One partition after the other, so that no more than one is in memory.
            for partition in 0..<(try await client.partitions()) {
                let journal = try client.journal(partition)
                for id in journal.sessions.keys.sorted() {
                    guard let found = journal.open(id, partition: partition) else {
                        complain("The session '\(id.printable)' can't be read by this version.")
                        continue
                    }
                    let summary = SessionSummary(found: found)
                    guard stage == nil || matches(stage, found, summary), intent == nil || found.session.active?.request.intent == intent
                    else { continue }
                    guard shown < limit else { return complain("There are more than \(limit): --limit shows more.") }
                    shown += 1
                    print(output == .json ? summary.json.description : summary.text)
                }
            }
        }

        private func matches(_ stage: String?, _ found: FoundSession, _ summary: SessionSummary) -> Bool {
            summary.stage == stage || stage == StageName.queued.rawValue && !found.session.queued.isEmpty
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Show a session as it is now, and all that the topics still say of it, in the order of time.",
            discussion: """
                Reads the session's partition of every topic. Values of parameters that are secret are hidden as soon as a resolver has said that they are; \
                what was sent in a request that no resolver has seen is shown as it was sent.
                """)

        @OptionGroup var kafka: KafkaOptions

        @Argument(help: "The session.")
        var session: String

        @Option(help: ArgumentHelp("At most so many records of its history: the newest.", valueName: "count"))
        var limit: Int = 1_000

        @Option(help: "How to show it: text, or a JSON object a line, the first one being the session as it is now.")
        var output: OutputForm = .text

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        }

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let (found, partition, _) = try await client.find(session)
            let history = try SessionHistory(found, id: session, partition: partition, limit: limit, client)
            guard found != nil || !history.isEmpty else {
                complain("There is no session '\(session)', and no topic says anything of it.")
                throw ExitCode.failed
            }
            if let found {
                let summary = SessionSummary(found: found)
                let state = history.data(found.record)
                print(
                    output == .json
                        ? JSON.make { summary.write(&$0) { $0.member("state", ifPresent: state) } }.description
                        : "\(summary.text)\n\(state?.indented ?? "")\n")
            } else if output == .json {
                print(JSON.object(["session": .string(session), "partition": .number(Int(partition)), "stage": .string("ended")]))
            } else {
                print("\(session.printable)\tis not open\n")
            }
            for entry in history.entries { print(output == .json ? history.json(entry).description : history.text(entry)) }
            if history.leftOut > 0 { complain("\(history.leftOut) older records were left out: --limit shows more.") }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Let a session forget what it remembers of its parameters: these keys, or all.")

        @OptionGroup var kafka: KafkaOptions

        @Argument(help: "The session.")
        var session: String

        @Argument(help: "The keys under which parameters are remembered; all unless given.")
        var keys: [String] = []

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let (found, partition, _) = try await client.find(session)
            guard found != nil else { return complain("The session '\(session)' is not open: it remembers nothing.") }
            try client.send(.forgotten(keys: keys.isEmpty ? nil : keys), session: session, partition: partition)
        }
    }
}
