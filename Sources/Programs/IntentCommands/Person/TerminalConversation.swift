import ArgumentParser
import Conversation
import Dispatch
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// A conversation with the person at the terminal, until the request and the requests that it opens have ended.
///
/// Results are shown as they come, also while the person thinks. Only the pipeline has a time limit.
struct TerminalConversation {
    /// A wait for a line of the person.
    private enum Asked {
        case question(TerminalQuestion)
        /// The request has ended, and can be taken back.
        case undo(ReceivedResult)
    }

    private let client: PersonClient
    /// The principal with which the conversation began.
    private let principal: Principal?
    private let session: Identifier
    /// The request, or the one that it has opened.
    private var request: Identifier
    private let text = ResultText()
    private let input = TerminalInput()
    private var asked: Asked?
    /// The last question that was answered, or whose further options were requested. A refused answer repeats it.
    private var answered: TerminalQuestion?
    /// The id of the last answer; `nil` before the first.
    private var said: Identifier?
    private var hasInput = true
    /// `true` while the cursor is behind a question.
    private var isCursorShown = false
    /// The kinds of questions of which the person knows how to steer them.
    private var explained: Set<Prompt.Kind> = []

    init(client: PersonClient, session: Identifier, request: Identifier) {
        (self.client, self.session, self.request) = (client, session, request)
        principal = client.principal
    }

    /// Runs the conversation.
    ///
    /// - Parameters:
    ///   - timeout: How long the pipeline may say nothing while it has to.
    ///   - prompt: The prompt to begin with, if the request was made before.
    /// - Returns: The exit code of the program.
    mutating func run(timeout: Duration, from prompt: ReceivedResult? = nil) throws -> ExitCode {
        let interrupt = watchInterrupt()
        defer {
            interrupt.cancel()
            signal(SIGINT, SIG_DFL)
        }
        if let prompt, let code = try handle(prompt) { return code }
        var deadline = ContinuousClock.now.advanced(by: timeout)
        while waitsForPerson(timeout) || ContinuousClock.now < deadline {
            // A line that was typed before a result came is not about the result.
            if asked != nil, let line = input.removeNext() {
                if let code = try handle(line) { return code }
                deadline = ContinuousClock.now.advanced(by: timeout)
            }
            for result in try client.results(timeout: .milliseconds(asked == nil ? 200 : 50))
            where result.session == session {
                deadline = ContinuousClock.now.advanced(by: timeout)
                if let code = try handle(result) { return code }
            }
        }
        complain(
            "The pipeline has said nothing for \(timeout): '\(PipelineProgram.tool) doctor' says why. \(Self.goingOn(session, client.principal))"
        )
        return .timedOut
    }

    /// Returns `true` if a question is open that the pipeline need not have ended by now.
    private func waitsForPerson(_ timeout: Duration) -> Bool {
        guard case .question(let question)? = asked, let expires = question.expires else { return asked != nil }
        return Instant.now < expires.advanced(by: timeout)
    }

    /// The commands that go on with the session, or end its request.
    private static func goingOn(_ session: Identifier, _ principal: Principal?) -> String {
        let options = "--session \(session)" + (principal.map { " --principal \($0.kind.rawValue):\($0.id)" } ?? "")
        return
            "'\(PipelineProgram.tool) chat \(options)' goes on, and '\(PipelineProgram.tool) cancel \(options)' ends the request."
    }

    /// Says how to go on if the person interrupts the program. A second interrupt ends it at once.
    private func watchInterrupt() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let (session, principal) = (session, client.principal)
        source.setEventHandler {
            signal(SIGINT, SIG_DFL)
            complain("\nThe session \(session) stays open. \(Self.goingOn(session, principal))")
            endProcess(ExitCode(128 + SIGINT))
        }
        source.resume()
        return source
    }

    // MARK: Results

    /// - Returns: The exit code of the program, if the conversation has ended.
    private mutating func handle(_ result: ReceivedResult) throws -> ExitCode? {
        let approval = result.data["approval"].flatMap(ShownApproval.init)
        if result.request == request, let approval, !mayAgree(approval, result) {
            asked = nil
            say(text.text(result))
            say("It goes on without this terminal when others agree: '\(PipelineProgram.tool) watch' shows how.")
            return .needsInput
        }
        // The request has ended. Others of the session go on without this terminal.
        if case .undo? = asked { return nil }
        if hasInput, let question = TerminalQuestion(result, text) {
            try ask(question)
            return nil
        }
        if asked == nil, var question = answered, let lines = question.add(result) {
            asked = .question(question)
            print(lines.joined(separator: "\n"))
            showCursor()
            return nil
        }
        if hasInput, let said, result.data["event"]?.identifier == said, let question = answered,
            let dialog = Self.objection(result)
        {
            if question.kind == .signIn { client.principal = principal }
            try ask(question, saying: dialog)
            return nil
        }
        // Nothing is left to answer.
        if result.type == .completed, case .question(let question)? = asked, question.result.request == result.request {
            if isCursorShown { print() }
            (asked, isCursorShown) = (nil, false)
        }
        if result.type != .optionsListed, result.type != .answerRead { say(text.text(result)) }
        if result.type == .rejected, result.data["event"]?.identifier == request { return .failed }
        guard result.request == request else { return nil }
        if let next = result.data["opens"]?["request"]?.identifier {
            request = next
        } else if let status = result.status {
            if result.data["undo"] != nil, isatty(STDIN_FILENO) == 1 {
                asked = .undo(result)
                showCursor()
            } else {
                return status == .success ? .success : .failed
            }
        }
        return nil
    }

    /// Returns `true` if the person at the terminal may agree to an approval, and has not yet.
    private func mayAgree(_ approval: ShownApproval, _ result: ReceivedResult) -> Bool {
        switch result.type {
        case .promptIssued: client.principal.map { approval.includes($0, []) } ?? false || approval.includesRequester
        case .promptReminded: result.data["reason"]?.string != PromptReminder.Reason.agreed.rawValue || asked != nil
        default: true
        }
    }

    /// The words about an answer that was none or was refused, if the prompt is still open; `nil` for any other result.
    private static func objection(_ result: ReceivedResult) -> String? {
        switch result.type {
        case .answerRead: result.data["dialog"]?.shown
        case .rejected where result.data["field"]?.string != "prompt": result.data["message"]?.shown
        default: nil
        }
    }

    /// Asks a question, in the place of one that is still open.
    private mutating func ask(_ question: TerminalQuestion, saying dialog: String? = nil) throws {
        var question = question
        input.start()
        if case .question(let open)? = asked, open.prompt != question.prompt {
            input.dropTyped()
            if open.isOver, open.isRepeated(by: question) {
                if isCursorShown { print() }
                isCursorShown = false
                print(text.dim("The time for this answer is over. It is asked again."))
            }
        }
        if let answer = question.answer(of: client.principal) {
            say(text.text(question.result))
            return try send(.answered(answer), to: question)
        }
        var lines = question.show(saying: dialog)
        if explained.insert(question.kind).inserted { lines.append(text.dim("  \(question.steering)")) }
        if isCursorShown { print() }
        print(lines.joined(separator: "\n"))
        asked = .question(question)
        showCursor()
    }

    // MARK: Lines

    private mutating func handle(_ line: TerminalInput.Line) throws -> ExitCode? {
        isCursorShown = false
        switch (asked, line) {
        case (.undo(let result)?, .text(let line)) where line.lowercased() == "u":
            asked = nil
            let id = Identifier(PersonClient.newID())
            let event = SessionEvent.undoRequested(UndoRequest(id: id, request: result.request))
            try client.send(event, session: session, id: id, partition: result.partition)
            try client.flush()
            request = id
        case (.undo(let result)?, _): return result.status == .success ? .success : .failed
        case (.question(let question)?, .end):
            hasInput = false
            try send(.cancelled(request: request), to: question)
        case (.question(var question)?, .text(let line)):
            let reply = question.reply(to: line)
            asked = .question(question)
            switch reply {
            case .send(let event): try send(event, to: question)
            case .signIn(let principal, let event):
                client.principal = principal
                try send(event, to: question)
            case .again(let why):
                print(why)
                showCursor()
            }
        case (nil, _): break
        }
        return nil
    }

    private mutating func send(_ event: SessionEvent, to question: TerminalQuestion) throws {
        let id = Identifier(PersonClient.newID())
        try client.send(event, session: session, id: id, partition: question.result.partition)
        try client.flush()
        (said, answered, asked) = (id, question, nil)
    }

    // MARK: The terminal

    /// Prints a text. If the cursor waits for the person, it is shown again below.
    private mutating func say(_ words: String) {
        let wasShown = isCursorShown
        if wasShown { print() }
        print(words)
        isCursorShown = false
        if wasShown, asked != nil { showCursor() }
    }

    private mutating func showCursor() {
        isCursorShown = true
        switch asked {
        case .question(let question)?: print(question.cursor, terminator: "")
        case .undo(let result)?:
            let undo = result.data["undo"]
            let title = undo?["title"]?.shown ?? undo?["intent"]?.shown ?? "undo"
            print("Enter to end, or u (\(title)): ", terminator: "")
        case nil: break
        }
        fflush(nil)
    }
}
