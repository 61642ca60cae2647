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
    private let session: Identifier
    /// The request, or the one that it has opened.
    private var request: Identifier
    private let text = ResultText()
    private let input = TerminalInput()
    private var asked: Asked?
    /// The question that was answered last, or whose further options are under way. It may have to be asked again.
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
    }

    /// Runs the conversation.
    ///
    /// - Parameters:
    ///   - timeout: How long the pipeline may say nothing while it has to.
    ///   - prompt: The prompt to begin with, if the request was made before.
    /// - Returns: The exit code of the program.
    mutating func run(timeout: Duration, from prompt: ReceivedResult? = nil) throws -> ExitCode {
        let interrupt = watchInterrupt()
        defer { interrupt.cancel() }
        if let prompt, let code = try handle(prompt) { return code }
        var deadline = ContinuousClock.now.advanced(by: timeout)
        while asked != nil || ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(asked == nil ? 200 : 50))
            where result.session == session {
                deadline = ContinuousClock.now.advanced(by: timeout)
                if let code = try handle(result) { return code }
            }
            if asked != nil, let line = input.removeNext() {
                if let code = try handle(line) { return code }
                deadline = ContinuousClock.now.advanced(by: timeout)
            }
        }
        complain("The pipeline has said nothing for \(timeout): 'intents doctor' says why. \(goingOn)")
        return .timedOut
    }

    private var goingOn: String {
        "'intents chat --session \(session)' goes on, and 'intents cancel --session \(session)' ends the request."
    }

    /// Says how to go on if the person interrupts the program.
    private func watchInterrupt() -> any DispatchSourceSignal {
        signal(SIGINT, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        let message = "\nThe session \(session) stays open. \(goingOn)"
        source.setEventHandler {
            complain(message)
            endProcess(ExitCode(128 + SIGINT))
        }
        source.resume()
        return source
    }

    // MARK: Results

    /// - Returns: The exit code of the program, if the conversation has ended.
    private mutating func handle(_ result: ReceivedResult) throws -> ExitCode? {
        let approval = result.data["approval"].flatMap(ShownApproval.init)
        if result.request == request, result.promptKind != nil, let approval, !approval.includesRequester {
            say(text.text(result))
            say("You can't agree to this yourself. It goes on without this terminal: 'intents watch' shows how.")
            return .needsInput
        }
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
            try ask(question, saying: dialog)
            return nil
        }
        // Nothing is left to answer.
        if result.type == .completed, result.request == request { asked = nil }
        if result.type != .optionsListed, result.type != .answerRead { say(text.text(result)) }
        if result.type == .rejected, result.request == nil || result.request == request,
            result.data["event"]?.identifier == request
        {
            return .failed
        }
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

    /// The words about an answer that was none, if the person can answer otherwise; `nil` for any other result.
    private static func objection(_ result: ReceivedResult) -> String? {
        switch result.type {
        case .answerRead: result.data["dialog"]?.shown
        case .rejected where ["utterance", "value", "option"].contains(result.data["field"]?.string):
            result.data["message"]?.shown
        default: nil
        }
    }

    /// Asks a question, in the place of one that is still open.
    private mutating func ask(_ question: TerminalQuestion, saying dialog: String? = nil) throws {
        var question = question
        if case .question(let open)? = asked, open.kind == question.kind, open.prompt != question.prompt {
            if isCursorShown { print() }
            isCursorShown = false
            print(text.dim("The time for this answer is over. It is asked again."))
        }
        if let answer = question.answer(of: client.principal) { return try send(.answered(answer), to: question) }
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
