import ArgumentParser
import Conversation
import IntentModel
import PipelineService

struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Take back a request that has succeeded.",
        usage: "\(PipelineProgram.tool) undo --session <session> [<request>] [<options>]",
        discussion: """
            The completion of a request says whether it can be taken back, and until when. The intent that does it is then requested: it may ask \
            questions of its own. With --wait, the results are shown until it has ended, and you answer its prompts.
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Argument(help: "The request to take back. Defaults to the last one that can be.")
    var request: Identifier?

    @Flag(help: "Wait until it has ended.")
    var wait = false

    @Option(help: ArgumentHelp("How long to wait for the next result, in seconds.", valueName: "seconds"))
    var timeout: Int = 60

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        if wait { try await client.follow(fromBeginning: false) }
        let id = Identifier(PersonClient.newID())
        try client.send(.undoRequested(UndoRequest(id: id, request: request)), session: session, id: id)
        try client.flush()
        guard wait else { return print(id) }
        var conversation = TerminalConversation(client: client, session: session, request: id)
        throw try conversation.run(timeout: .seconds(timeout))
    }
}
