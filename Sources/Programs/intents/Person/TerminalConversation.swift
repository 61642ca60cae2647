import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// A conversation with the person at the terminal, until the request and the requests that it opens have ended.
struct TerminalConversation {
    let client: PersonClient
    let session: Identifier
    let request: Identifier
    let text = ResultText()

    /// Runs the conversation.
    ///
    /// - Returns: The exit code of the program.
    func run(timeout: Duration) throws -> ExitCode {
        var request = request
        var menu: ChoiceMenu?
        var asked: ReceivedResult?
        // The id of the last answer; `nil` before the first, and after the end of the input.
        var said: Identifier?
        var hasInput = true
        func send(_ reply: SessionEvent?, _ partition: Int32) throws {
            let id = Identifier(PersonClient.newID())
            try client.send(reply ?? .cancelled(request: request), session: session, id: id, partition: partition)
            try client.flush()
            (said, hasInput) = (reply == nil ? nil : id, reply != nil)
        }
        var deadline = ContinuousClock.now.advanced(by: timeout)
        while ContinuousClock.now < deadline {
            for result in try client.results(timeout: .milliseconds(200)) where result.session == session {
                deadline = ContinuousClock.now.advanced(by: timeout)
                if result.promptKind != nil { asked = result }
                if result.request == request, let approval = result.data["approval"].flatMap(ShownApproval.init),
                    !approval.includesRequester, result.promptKind != nil
                {
                    print(text.text(result))
                    print(
                        "You can't agree to this yourself. It goes on without this terminal: 'intents watch' shows how."
                    )
                    return .needsInput
                }
                if hasInput,
                    result.promptKind != nil
                        || (result.type == .optionsListed && result.data["prompt"]?.identifier == menu?.prompt)
                {
                    try send(reply(to: result, &menu), result.partition)
                } else if let said, result.data["event"]?.identifier == said, let asked,
                    let dialog = Self.objection(result)
                {
                    try send(reply(to: asked, saying: dialog, &menu), result.partition)
                } else {
                    if result.type != .optionsListed, result.type != .answerRead { print(text.text(result)) }
                    if result.type == .rejected, result.request == nil || result.request == request,
                        result.data["event"]?.identifier == request
                    {
                        return .failed
                    }
                    if result.request == request, let next = result.data["opens"]?["request"]?.identifier {
                        request = next
                    } else if result.request == request, let next = try undo(result) {
                        request = next
                    } else if let status = result.status, result.request == request {
                        return status == .success ? .success : .failed
                    }
                }
            }
        }
        complain("No result from the pipeline within \(timeout).")
        return .timedOut
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

    /// Asks the person for a reply to a prompt or to further options.
    ///
    /// - Parameter dialog: The text to show instead of the prompt's own, if the last answer was none.
    /// - Returns: `nil` if the input has ended.
    private func reply(to result: ReceivedResult, saying dialog: String? = nil, _ menu: inout ChoiceMenu?)
        -> SessionEvent?
    {
        let dialog = dialog ?? result.data["dialog"]?.shown ?? ""
        guard result.promptKind != .choice, result.type == .promptIssued else {
            if result.type == .promptIssued {
                print(text.colour("?", 33), dialog)
                menu = ChoiceMenu(result)
            }
            menu?.show(result)
            return menu?.reply()
        }
        menu = nil
        print(text.colour("?", 33), dialog)
        return result.promptKind.flatMap { ask(result, $0) }.map { .answered($0) }
    }

    /// Asks the person for an answer to a prompt that is not a choice.
    ///
    /// - Returns: `nil` if the input has ended.
    private func ask(_ result: ReceivedResult, _ kind: Prompt.Kind) -> Answer? {
        guard let prompt = result.prompt else { return nil }
        let parameters = result.data["parameters"]?.elements ?? []
        let names = parameters.compactMap { $0["parameter"]?.string }
        switch kind {
        case .value:
            if let hint = hint(result.data["declaration"]) { print(text.dim("  \(hint)")) }
            showMissing(parameters, besides: result.data["parameter"]?.string)
            guard let line = read("> ") else { return nil }
            if line.isEmpty { return Answer(prompt: prompt, action: .decline) }
            return TypedAnswer(line, names: names).answer(to: prompt)
        case .choice: return nil
        case .signIn: return signIn(result, prompt)
        case .confirmValue, .confirmIntent:
            if kind == .confirmIntent {
                if let summary = result.data["summary"]?.shown,
                    result.data["dialog"]?.string?.hasPrefix(summary) != true
                {
                    print("  \(summary)")
                }
                for parameter in parameters {
                    guard let words = parameter["text"]?.shown ?? parameter["value"]?.json.description.printable else {
                        continue
                    }
                    let source = parameter["reason"]?.string.map { " (\($0))" } ?? ""
                    print("  \(parameter["title"]?.shown ?? parameter["parameter"]?.shown ?? ""): \(words)\(source)")
                }
            }
            for (name, value) in result.data["proposed"]?.members ?? [] where !names.contains(name) {
                print("  \(name.printable): \(value.shown ?? value.json.description.printable)")
            }
            var buttons = "y/n"
            if let action = result.data["action"], let accept = action["accept"]?.shown,
                let deny = action["deny"]?.shown
            {
                buttons = "y (\(accept)) / n (\(deny))"
            }
            while let line = read("\(buttons): ") {
                let typed = TypedAnswer(line, names: names)
                switch typed.value.lowercased() {
                case "y": return Answer(prompt: prompt, action: .accept, parameters: typed.parameters)
                case "n": return Answer(prompt: prompt, action: .decline, parameters: typed.parameters)
                case "yes" where !typed.parameters.isEmpty:
                    return Answer(prompt: prompt, action: .accept, parameters: typed.parameters)
                case "no" where !typed.parameters.isEmpty:
                    return Answer(prompt: prompt, action: .decline, parameters: typed.parameters)
                case "q": return Answer(prompt: prompt, action: .cancel)
                // The person is asked again after changing other values.
                case _ where !line.isEmpty: return typed.answer(to: prompt)
                default: continue
                }
            }
            return nil
        }
    }

    /// Shows where to sign in, and waits until the person has signed in.
    private func signIn(_ result: ReceivedResult, _ prompt: Identifier) -> Answer? {
        let signIn = result.data["signIn"]
        if let place = signIn.flatMap(ResultText.place) { print("  \(place)") }
        guard let required = signIn?["requires"]?.string.flatMap(SignIn.Requirement.init) else {
            guard let line = read("Enter when you have signed in, or the code that you got; n to stop: ") else {
                return nil
            }
            if line.lowercased() == "n" { return Answer(prompt: prompt, action: .decline) }
            return Answer(prompt: prompt, action: .accept, value: line.isEmpty ? nil : .string(line))
        }
        while client.principal?.isPerson != true {
            guard let line = read("Sign in as (such as app_user:ann), n to stop: ") else { return nil }
            if line.lowercased() == "n" { return Answer(prompt: prompt, action: .decline) }
            if let principal = try? PrincipalOption.reading(line), principal.isPerson { client.principal = principal }
        }
        return Answer(
            prompt: prompt, action: .accept, value: required == .localDevice ? .string(SignIn.localDevice) : nil)
    }

    /// Offers to undo the request, if it can be undone and standard input is a terminal.
    ///
    /// - Returns: The id of the undo request; `nil` if the person does not undo.
    private func undo(_ result: ReceivedResult) throws -> Identifier? {
        guard let undo = result.data["undo"], isatty(STDIN_FILENO) == 1,
            let line = read("Enter to end, or u (\(undo["title"]?.shown ?? undo["intent"]?.shown ?? "undo")): "),
            line.lowercased() == "u"
        else { return nil }
        let id = Identifier(PersonClient.newID())
        try client.send(
            .undoRequested(UndoRequest(id: id, request: result.request)), session: session, id: id,
            partition: result.partition)
        try client.flush()
        return id
    }

    /// Returns the type and the range of the parameter's values.
    private func hint(_ declaration: JSONView?) -> String? {
        guard let type = declaration?["type"]?["description"]?.shown else { return nil }
        return [type, declaration?["range"]?["text"]?.shown].compactMap(\.self).joined(separator: ", ")
    }

    private func showMissing(_ parameters: [JSONView], besides asked: String?) {
        let missing = parameters.filter { $0["missing"]?.bool == true && $0["parameter"]?.string != asked }
            .compactMap { parameter in
                parameter["parameter"]?.shown.map { (name: $0, title: parameter["title"]?.shown ?? $0) }
            }
        guard let first = missing.first else { return }
        print(
            text.dim("  Then: \(missing.map(\.title).joined(separator: ", ")). To say it now, too: …; \(first.name)=…"))
    }
}

/// Reads a line of the person at the terminal; `nil` if the input has ended.
func read(_ prompt: String) -> String? {
    print(prompt, terminator: "")
    fflush(nil)
    return readLine()?.trimmingCharacters(in: .whitespaces)
}
