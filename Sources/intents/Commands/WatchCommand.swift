import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import PipelineService

struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show results as they come.",
        discussion: "Runs until it is interrupted, or until the end of what is there with --exit-at-end.")

    enum Output: String, ExpressibleByArgument, CaseIterable { case text, json }

    @OptionGroup var kafka: KafkaOptions

    @Option(name: .shortAndLong, help: "Only this session.")
    var session: String?

    @Flag(help: "Begin with the oldest result that is still there.")
    var fromBeginning = false

    @Flag(help: "End after the newest result.")
    var exitAtEnd = false

    @Option(help: "How to show results.")
    var output: Output = .text

    func run() async throws {
        let client = try PersonClient(kafka)
        defer { client.close() }
        try await client.follow(fromBeginning: fromBeginning)
        let text = ResultText()
        while !(exitAtEnd && client.isAtEnd) {
            for result in try client.results(timeout: .milliseconds(500)) where session == nil || result.session == session {
                print(output == .json ? ResultText.json(result) : text.line(result))
            }
            fflush(nil)
        }
    }
}

struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat", abstract: "Ask for an intent and talk it through in the terminal.",
        discussion: "Menus for choices, y/n for confirmations, an empty line for no answer; the end of the input cancels the request.")

    @OptionGroup var kafka: KafkaOptions

    @Argument(help: "The intent's name.")
    var intent: String

    @Option(name: .shortAndLong, help: "The session to talk in. A new one unless given.")
    var session: String?

    @OptionGroup var said: RequestOptions

    @Option(help: ArgumentHelp("How long to wait for the pipeline, in seconds.", valueName: "seconds"))
    var timeout: Int = 60

    func run() async throws {
        let client = try PersonClient(kafka)
        defer { client.close() }
        let session = session ?? "chat-\(PersonClient.newID().prefix(8))"
        let id = PersonClient.newID()
        try await client.follow(fromBeginning: false)
        try client.send(.requested(said.request(id, intent)), session: session, id: id)
        try client.flush()
        let code = try TerminalConversation(client: client, session: session, request: id).run(timeout: .seconds(timeout))
        if code != .success { throw code }
    }
}
