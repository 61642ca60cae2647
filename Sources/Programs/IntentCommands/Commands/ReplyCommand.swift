import ArgumentParser
import Conversation
import IntentEvents
import IntentModel
import PipelineService

struct ReplyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reply", abstract: "Answer a session's open prompt.",
        usage: """
            \(PipelineProgram.tool) reply --session S the second one
            \(PipelineProgram.tool) reply --session S --option comfort | --value 4
            \(PipelineProgram.tool) reply --session S --yes | --no | --cancel
            \(PipelineProgram.tool) reply --session S --principal app_user:bob --role finance --yes
            """,
        discussion: """
            Waits for what comes of the answer. Exit codes: 0 it was accepted, 3 its words were no answer: the prompt is still open, 4 it was \
            rejected, 5 the pipeline said nothing in time.
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(help: "A role of the principal, for an approval. May be repeated.")
    var role: [String] = []

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Option(help: "The prompt's id. Defaults to the session's latest prompt.")
    var prompt: Identifier?

    @Argument(help: "The answer in the person's own words, read in the context of the prompt.")
    var words: [String] = []

    @Option(help: "The value: valid JSON is sent as JSON, anything else as text.")
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
        help: ArgumentHelp("Let another principal agree instead, such as app_user:cem.", valueName: "type:id"),
        transform: PrincipalOption.reading)
    var delegate: Principal?

    @Option(
        name: [.customShort("p"), .customLong("parameter")],
        help: ArgumentHelp("Another parameter to change. May be repeated.", valueName: "name=value"))
    var parameters: [String] = []

    func validate() throws {
        guard
            [
                !words.isEmpty, value != nil || option != nil || yes || !parameters.isEmpty && !no, no, cancel,
                delegate != nil,
            ]
            .filter({ $0 }).count == 1
        else {
            throw ValidationError("Use one of: words, --value, --option, --yes, --no, --cancel or --delegate.")
        }
        if !role.isEmpty, person.principal == nil { throw ValidationError("A --role is that of a --principal.") }
        for parameter in parameters where ParameterState(argument: parameter) == nil {
            throw ValidationError("'\(parameter)' is not name=value.")
        }
    }

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        guard let found = try await client.findPrompt(prompt, of: session) else {
            complain("The session '\(session)' has no open prompt\(prompt.map { " '\($0)'" } ?? "").")
            throw ExitCode.failed
        }
        var answer =
            words.isEmpty
            ? Answer(
                prompt: found.id, action: delegate != nil ? .delegate : cancel ? .cancel : no ? .decline : .accept,
                value: value.map(JSON.init(argument:)), option: option,
                parameters: parameters.compactMap(ParameterState.init(argument:)))
            : Answer(prompt: found.id, utterance: Utterance(words.joined(separator: " ")))
        (answer.delegate, answer.roles) = (delegate, role.map { Identifier($0) })
        try client.sendAndWait(.answered(answer), session: session, partition: found.partition)
    }
}

struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel a session's active request.",
        usage: "\(PipelineProgram.tool) cancel --session <session> [<options>]",
        discussion: """
            Waits for what comes of it. Exit codes: 0 it was accepted, 4 it was rejected, 5 the pipeline said nothing in time.
            """)

    @OptionGroup var kafka: KafkaOptions

    @OptionGroup var person: PrincipalOption

    @Option(name: .shortAndLong, help: "The session.")
    var session: Identifier

    @Option(help: "The request's id. Defaults to the active request.")
    var request: Identifier?

    func run() async throws {
        let client = try PersonClient(kafka, principal: person.principal)
        defer { client.close() }
        try await client.follow(fromBeginning: false)
        try client.sendAndWait(.cancelled(request: request), session: session)
    }
}

extension PersonClient {
    /// A prompt that is open.
    struct OpenPrompt {
        var id: Identifier
        /// The session's partition.
        var partition: Int32
        /// The prompt as it was issued; `nil` if the topic has kept only a reminder.
        var issued: ReceivedResult?
        var request: Identifier?
    }

    /// Follows the results from the beginning, and finds the latest open prompt of a session.
    ///
    /// - Parameter prompt: Finds only this prompt, whether it is open or not; `nil` for any.
    func findPrompt(_ prompt: Identifier? = nil, of session: Identifier) async throws -> OpenPrompt? {
        try await follow(fromBeginning: true)
        var open: OpenPrompt?
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while !isAtEnd, ContinuousClock.now < deadline {
            for result in try results(timeout: .milliseconds(100)) where result.session == session {
                let asked = result.type == .promptReminded ? result.data["prompt"]?.identifier : result.prompt
                if let id = asked, prompt == nil || prompt == id {
                    let issued = result.type == .promptIssued ? result : open?.id == id ? open?.issued : nil
                    open = OpenPrompt(id: id, partition: result.partition, issued: issued, request: result.request)
                } else if prompt == nil, open?.request == result.request, result.closesPrompt {
                    open = nil
                }
            }
        }
        return open
    }

    /// Sends an event, and waits until the pipeline says something about it.
    ///
    /// - Parameter isMeant: whether a result of the session can come of the event.
    /// - Throws: The exit code of the program, if the event was rejected, if its words were no answer, or if nothing was
    ///   said in time.
    func sendAndWait(
        _ event: SessionEvent, session: Identifier, partition: Int32? = nil, token: String? = nil,
        secret: String? = nil, isMeant: (ReceivedResult) -> Bool = { _ in true }
    ) throws {
        let id = Identifier(Self.newID())
        try send(event, session: session, id: id, partition: partition, token: token, secret: secret)
        try flush()
        // Longer than a handler has to clean up after a cancel.
        let patience = Duration.seconds(15)
        var deadline = ContinuousClock.now.advanced(by: patience)
        var isRead = false
        while ContinuousClock.now < deadline {
            for result in try results(timeout: .milliseconds(100)) where result.session == session {
                let isAboutEvent = result.data["event"]?.identifier == id
                switch result.type {
                case .rejected where isAboutEvent:
                    complain(ResultText(isColoured: false).text(result))
                    throw ExitCode.failed
                case .answerRead where isAboutEvent:
                    print(ResultText().text(result))
                    if result.data["dialog"] != nil { throw ExitCode.needsInput }
                    // A rejection of the answer would follow at once.
                    isRead = true
                    deadline = ContinuousClock.now.advanced(by: .seconds(1))
                case .rejected, .answerRead, .optionsListed: break
                // Time alone leads to these.
                case .promptReminded where ["reminder", "escalated"].contains(result.data["reason"]?.string): break
                default: if isMeant(result) { return }
                }
            }
        }
        if isRead { return }
        complain("It was sent, and nothing came of it within \(patience): look with '\(PipelineProgram.tool) watch'.")
        throw ExitCode.timedOut
    }
}

extension ReceivedResult {
    /// `true` if the prompt before it, of the same request, is open no more.
    fileprivate var closesPrompt: Bool {
        switch type {
        case .completed, .progressed, .handoffOffered: true
        default: false
        }
    }
}
