import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show results as they arrive.",
        usage: "\(PipelineProgram.tool) watch [<options>]",
        discussion: "Runs until it is interrupted; with --exit-at-end, until the newest result.")

    @OptionGroup var kafka: KafkaOptions

    @Option(name: .shortAndLong, help: "Only this session.")
    var session: Identifier?

    @Flag(help: "Begin with the oldest result that the topic still has.")
    var fromBeginning = false

    @Flag(help: "End after the newest result.")
    var exitAtEnd = false

    @OptionGroup var output: OutputOptions

    func run() async throws {
        let client = try PersonClient(kafka, isReadOnly: true)
        defer { client.close() }
        try await client.follow(fromBeginning: fromBeginning)
        let text = ResultText()
        if isatty(STDOUT_FILENO) == 1, !output.isJSON {
            complain("Results of \(session.map { "the session \($0)" } ?? "all sessions"), as they come. Ctrl-C ends.")
            print(text.dim("TIME      SESSION  RESULT"))
        }
        while !(exitAtEnd && client.isAtEnd) {
            for result in try client.results(timeout: .milliseconds(500))
            where session == nil || result.session == session {
                print(output.isJSON ? ResultText.json(result) : text.line(result))
            }
            fflush(nil)
        }
    }
}

struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Request an intent and answer its prompts in the terminal.",
        usage: """
            \(PipelineProgram.tool) chat RequestRide -p dropOff=Airport
            \(PipelineProgram.tool) chat --session S
            """,
        discussion: """
            Choices are shown as menus, confirmations as y/n. A line is an answer in your own words, or changes another value (ride=XL). An empty line \
            means no answer, q cancels the request, ? shows what else you can type. The end of the input cancels the request; Ctrl-C leaves the session \
            open. With --session and no intent, the session's open prompt is asked again.
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Argument(
        help: "The intent's name. Without it, the open prompt of --session is answered.",
        completion: .custom(IntentNames.completion))
    var intent: Identifier?

    @Option(name: .shortAndLong, help: "The session of the request. Defaults to a new one.")
    var session: Identifier?

    @OptionGroup var said: RequestOptions

    @Option(
        help: ArgumentHelp(
            "How long to wait for the pipeline, in seconds. Your own time has no limit but the prompt's.",
            valueName: "seconds"))
    var timeout: Int = 60

    func validate() throws {
        if intent == nil, session == nil {
            throw ValidationError("Name an intent, or the --session whose open prompt you want to answer.")
        }
        if intent == nil, said.isUsed {
            throw ValidationError("The values and other options of a request need the intent's name.")
        }
    }

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        let session = session ?? "chat-\(PersonClient.newID().prefix(8))"
        guard let intent else { return try await goOn(client, in: session) }
        let id = Identifier(PersonClient.newID())
        try await client.follow(fromBeginning: false)
        try client.send(.requested(said.request(id, intent)), session: session, id: id)
        try client.flush()
        var conversation = TerminalConversation(client: client, session: session, request: id)
        let code = try conversation.run(timeout: .seconds(timeout))
        if code != .success { throw code }
    }

    private func goOn(_ client: PersonClient, in session: Identifier) async throws {
        guard let open = try await client.findPrompt(of: session)?.issued, let request = open.request else {
            complain(
                "The session '\(session)' has no open prompt: '\(PipelineProgram.tool) session show \(session)' says how it is."
            )
            throw ExitCode.failed
        }
        var conversation = TerminalConversation(client: client, session: session, request: request)
        let code = try conversation.run(timeout: .seconds(timeout), from: open)
        if code != .success { throw code }
    }
}
