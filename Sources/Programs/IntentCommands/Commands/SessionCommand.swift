import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineService
import RecordLog

struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session", abstract: "List, show, end and purge sessions.",
        subcommands: [List.self, Show.self, End.self, Purge.self, Forget.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the open sessions of the journal.",
            usage: "\(PipelineProgram.tool) session list [<options>]",
            discussion:
                "Shows session, stage, intent, what it waits for, how long ago it last changed, and how many requests are queued."
        )

        @OptionGroup var kafka: KafkaOptions

        @Option(
            help: "Only sessions in this stage: idle, \(StageName.allCases.map(\.rawValue).joined(separator: ", ")).")
        var stage: String?

        @Option(help: "Only sessions whose active request is for this intent.")
        var intent: Identifier?

        @Option(help: ArgumentHelp("The maximum number to show.", valueName: "count"))
        var limit: Int = 1_000

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
            if let stage, stage != "idle", StageName(rawValue: stage) == nil {
                throw ValidationError(
                    "'\(stage)' is none of idle, \(StageName.allCases.map(\.rawValue).joined(separator: ", ")).")
            }
        }

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            var shown = 0
            var table = TextTable(SessionSummary.head)
            defer { table.finish() }
            // Partitions are read one after the other, so that only one is in memory.
            for partition in 0..<(try await client.partitions()) {
                let journal = try client.journal(partition)
                for id in journal.sessions.keys.sorted() {
                    guard let found = journal.open(id, partition: partition) else {
                        // Only the ids of the session's requests are known.
                        if journal.knownUntil(id) != nil { continue }
                        complain("The session '\(id.printable)' can't be read by this version.")
                        continue
                    }
                    let summary = SessionSummary(found: found)
                    guard stage == nil || matches(stage, found, summary),
                        intent == nil || found.session.active?.request.intent == intent
                    else { continue }
                    guard shown < limit else { return complain("There are more than \(limit): --limit shows more.") }
                    shown += 1
                    if output.isJSON { print(summary.json.description) } else { table.add(summary.row(at: .now)) }
                }
            }
        }

        private func matches(_ stage: String?, _ found: FoundSession, _ summary: SessionSummary) -> Bool {
            summary.stage == stage || stage == StageName.queued.rawValue && !found.session.queued.isEmpty
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Show a session as a conversation, or its state and all of its records that the topics still have.",
            usage: "\(PipelineProgram.tool) session show <session> [<options>]",
            discussion: """
                Tells what the person's side and the pipeline have said, in order of time. With --records or --json, shows the journal's state, and the \
                session's records of every topic. Values of secret parameters are hidden once a resolver has reported that they are \
                secret; the values of a request that no resolver has seen are shown as they were sent.
                """)

        @OptionGroup var kafka: KafkaOptions

        @Argument(help: "The session.")
        var session: Identifier

        @Option(
            help: ArgumentHelp(
                "The maximum number of records of its history; the newest are shown.", valueName: "count"))
        var limit: Int = 1_000

        @Flag(help: "Show the state in the journal, and all records.")
        var records = false

        @OptionGroup var output: OutputOptions

        func validate() throws {
            if limit < 1 { throw ValidationError("--limit must be at least 1.") }
        }

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let (found, partition, journal) = try await client.find(session)
            let history = try SessionHistory(found, id: session, partition: partition, limit: limit, client)
            guard found != nil || !history.isEmpty else {
                complain("There is no session '\(session)', and no topic has a record of it.")
                throw ExitCode.failed
            }
            if let found {
                let summary = SessionSummary(found: found)
                let state = history.data(found.record)
                print(
                    output.isJSON
                        ? JSON.make { summary.write(&$0) { $0.member("state", ifPresent: state) } }.description
                        : "\(summary.text(at: .now))\n" + (records ? "\(state?.indented ?? "")\n" : ""))
            } else if output.isJSON {
                print(
                    JSON.make { writer in
                        writer.beginObject()
                        writer.member("session", session)
                        writer.member("partition", Int(partition))
                        writer.member("stage", "ended")
                        writer.member("requestsKnownUntil", ifPresent: journal.knownUntil(session)?.description)
                        writer.endObject()
                    })
            } else {
                let known = journal.knownUntil(session).map { "; repeats of its requests are ignored until \($0)" }
                print("The session \(session.printable) is not open\(known ?? "").\n")
            }
            let conversation = SessionConversation(history, client.topics)
            for entry in history.entries {
                if output.isJSON {
                    print(history.json(entry).description)
                } else if records {
                    print(history.text(entry))
                } else if let line = conversation.line(entry) {
                    print(line)
                }
            }
            if history.leftOut > 0 { complain("\(history.leftOut) older records were left out: --limit shows more.") }
        }
    }

    struct Forget: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget what a session remembers of its parameters: these keys, or all.",
            usage: "\(PipelineProgram.tool) session forget <session> [<keys> ...] [<options>]",
            discussion:
                "'\(PipelineProgram.tool) memory' lists and forgets what is remembered about a person beyond their sessions."
        )

        @OptionGroup var kafka: KafkaOptions

        @Argument(help: "The session.")
        var session: Identifier

        @Argument(help: "The keys under which parameters are remembered. Defaults to all.")
        var keys: [String] = []

        @Flag(help: "Forget also what is remembered for the person who owns the session, in all of their sessions.")
        var person = false

        func run() async throws {
            let client = try OperatorClient(kafka)
            defer { client.close() }
            let (found, partition, _) = try await client.find(session)
            guard found != nil else { return complain("The session '\(session)' is not open: it remembers nothing.") }
            try client.send(
                .forgotten(Forgetting(keys: keys.isEmpty ? nil : keys, scope: person ? .person : .session)),
                session: session,
                partition: partition, from: Principal(.system, ""))
        }
    }
}
