import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService

struct ReplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Answer a session's open prompt.",
        usage: """
            intents reply --session S Airport
            intents reply --session S --option comfort
            intents reply --session S --yes | --no | --cancel
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Option(help: "The prompt's id. Defaults to the session's latest prompt.")
    var prompt: Identifier?

    @Argument(help: "The value: valid JSON is sent as JSON, anything else as text.")
    var value: String?

    @Option(help: "The id of the option chosen.")
    var option: String?

    @Flag(help: "Answer yes.")
    var yes = false

    @Flag(help: "Answer no, or none of the options.")
    var no = false

    @Flag(help: "Cancel the request.")
    var cancel = false

    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp("Another parameter to change. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    func validate() throws {
        guard
            [value != nil || option != nil || yes || !parameters.isEmpty && !no, no, cancel].filter({ $0 }).count == 1
        else {
            throw ValidationError("Use one of: a value, --option, --yes, --no or --cancel.")
        }
        for parameter in parameters where ParameterState(argument: parameter) == nil {
            throw ValidationError("'\(parameter)' is not name=value.")
        }
    }

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        guard let found = try await find(client) else {
            complain("The session '\(session)' has no open prompt\(prompt.map { " '\($0)'" } ?? "").")
            throw ExitCode.failed
        }
        let answer = Answer(
            prompt: found.id, action: cancel ? .cancel : no ? .decline : .accept,
            value: value.map(JSON.init(argument:)), option: option,
            parameters: parameters.compactMap(ParameterState.init(argument:)))
        try client.send(.answered(answer), session: session, partition: found.partition)
        try client.flush()
    }

    /// Returns the session's latest open prompt, and the session's partition.
    private func find(_ client: PersonClient) async throws -> (id: Identifier, partition: Int32)? {
        try await client.follow(fromBeginning: true)
        var open: (id: Identifier, partition: Int32)?
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while !client.isAtEnd, ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(100)) where result.session == session {
                if let id = result.prompt, prompt == nil || prompt == id {
                    open = (id, result.partition)
                } else if result.type == .completed, prompt == nil {
                    open = nil
                }
            }
        }
        return open
    }
}

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a session's active request.",
        usage: "intents cancel --session <session> [<options>]")

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Option(help: "The request's id. Defaults to the active request.")
    var request: Identifier?

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        try client.send(.cancelled(request: request), session: session)
        try client.flush()
    }
}
