import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// A prompt at the terminal: the lines that show it, and what a line means that the person types.
struct TerminalQuestion {
    enum Reply {
        case send(SessionEvent)
        /// The person has signed in as a principal, and the event tells the pipeline so.
        case signIn(Principal, SessionEvent)
        /// The line is no answer. The text says why or what can be typed.
        case again(String)
    }

    /// The prompt that is shown.
    let result: ReceivedResult
    let prompt: Identifier
    let kind: Prompt.Kind
    private var menu: ChoiceMenu?
    private let parameters: [JSONView]
    private let text: ResultText

    /// - Returns: `nil` if the result is no prompt.
    init?(_ result: ReceivedResult, _ text: ResultText) {
        guard result.type == .promptIssued, let prompt = result.prompt, let kind = result.promptKind else { return nil }
        (self.result, self.prompt, self.kind, self.text) = (result, prompt, kind, text)
        parameters = result.data["parameters"]?.elements ?? []
        if kind == .choice { menu = ChoiceMenu(result) }
    }

    private var names: [String] { parameters.compactMap { $0["parameter"]?.string } }

    // MARK: Showing

    /// Returns the lines that show the prompt.
    ///
    /// - Parameter dialog: The text instead of the prompt's own, if the last answer was none.
    mutating func show(saying dialog: String? = nil) -> [String] {
        var lines = ["\(text.colour("?", 33)) \(dialog ?? result.data["dialog"]?.shown ?? "")"]
        switch kind {
        case .choice:
            menu = ChoiceMenu(result)
            lines += menu?.add(result) ?? []
        case .value:
            if let hint { lines.append(text.dim("  \(hint)")) }
            if let missing { lines.append(text.dim("  \(missing)")) }
        case .signIn: if let place = result.data["signIn"].flatMap(ResultText.place) { lines.append("  \(place)") }
        case .confirmIntent: lines += summary + proposed
        case .confirmValue: lines += proposed
        }
        return lines
    }

    /// Adds options that were asked for. Returns the lines that show them; `nil` if they are those of another prompt.
    mutating func add(_ page: ReceivedResult) -> [String]? {
        guard page.type == .optionsListed, page.data["prompt"]?.identifier == prompt else { return nil }
        return menu?.add(page)
    }

    /// When its time is over; `nil` if the prompt does not say.
    var expires: Instant? { result.data["expires"]?.string.flatMap { Instant(rfc3339: $0) } }

    var isOver: Bool { expires.map { $0 <= .now } ?? false }

    /// Whether another prompt asks the same.
    func isRepeated(by other: TerminalQuestion) -> Bool {
        let parameter = result.data["parameter"]?.string
        return result.request == other.result.request && parameter == other.result.data["parameter"]?.string
            && (kind == other.kind || parameter != nil)
    }

    /// The text before the cursor.
    var cursor: String {
        switch kind {
        case .choice: menu?.cursor ?? "> "
        case .value: "> "
        case .signIn:
            requirement == nil
                ? "Enter when you have signed in, or the code that you got; n to stop: "
                : "Sign in as (such as app_user:ann), n to stop: "
        case .confirmValue, .confirmIntent: "\(buttons): "
        }
    }

    /// How the person steers the conversation, in one line.
    var steering: String {
        let change = kind == .confirmIntent && !names.isEmpty ? "Say what to change, such as \(example). " : ""
        return "\(change)q cancels, ? shows what you can type."
    }

    /// Everything that the person can type.
    private var help: String {
        if kind == .signIn { return "  \(cursor)\n  q cancels the request." }
        var lines = ["An answer in your own words. With \\ before it, it is an answer whatever it is: \\q."]
        if kind == .choice {
            lines.append("A number takes an option, Enter none. / and words search, / alone shows all, + shows more.")
        }
        if kind == .value { lines.append("Enter gives no answer.") }
        if kind == .confirmIntent || kind == .confirmValue { lines.append("y agrees, n does not.") }
        if !names.isEmpty {
            let titles = parameters.compactMap { parameter in
                parameter["parameter"]?.shown.map { "\($0) (\(parameter["title"]?.shown ?? $0))" }
            }
            lines.append(
                "name=value changes another value, also after an answer and a semicolon: \(titles.joined(separator: ", "))."
            )
        }
        lines.append("'back to the list' shows options again, 'what can I say?' what the pipeline understands.")
        lines.append("q cancels the request. Ctrl-C ends this program, and leaves the session open.")
        return lines.map { "  \($0)" }.joined(separator: "\n")
    }

    /// A change of a value, as the person can type it.
    private var example: String {
        let shown = parameters.first { $0["missing"]?.bool != true && $0["value"] != nil }
        return "\(shown?["parameter"]?.shown ?? names.first ?? "")=…"
    }

    private var buttons: String {
        guard let action = result.data["action"], let accept = action["accept"]?.shown, let deny = action["deny"]?.shown
        else { return "y/n" }
        return "y (\(accept)) / n (\(deny))"
    }

    /// The type and the range of the parameter's values, where a person would say it so.
    private var hint: String? {
        let declaration = result.data["declaration"]
        let type = isPlain == true ? declaration?["type"]?["description"]?.shown : nil
        let parts = [type, declaration?["range"]?["text"]?.shown].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Whether a value is a text, a number or the like; `nil` if the prompt does not say.
    private var isPlain: Bool? {
        result.data["declaration"]?["type"]?["schema"]?["type"]?.string.map { $0 != "object" && $0 != "array" }
    }

    private var missing: String? {
        let asked = result.data["parameter"]?.string
        let missing = parameters.filter { $0["missing"]?.bool == true && $0["parameter"]?.string != asked }
            .compactMap { parameter in
                parameter["parameter"]?.shown.map { (name: $0, title: parameter["title"]?.shown ?? $0) }
            }
        guard let first = missing.first else { return nil }
        return "Then: \(missing.map(\.title).joined(separator: ", ")). To say it now, too: …; \(first.name)=…"
    }

    private var summary: [String] {
        var lines: [String] = []
        if let summary = result.data["summary"]?.shown, result.data["dialog"]?.string?.hasPrefix(summary) != true {
            lines.append("  \(summary)")
        }
        for parameter in parameters {
            guard let words = parameter["text"]?.shown ?? parameter["value"]?.json.description.printable else {
                continue
            }
            let source = parameter["reason"]?.string.map { " (\($0))" } ?? ""
            lines.append("  \(parameter["title"]?.shown ?? parameter["parameter"]?.shown ?? ""): \(words)\(source)")
        }
        return lines
    }

    private var proposed: [String] {
        (result.data["proposed"]?.members ?? []).filter { !names.contains($0.name) }.map { name, value in
            "  \(name.printable): \(value.shown ?? value.json.description.printable)"
        }
    }

    // MARK: Answering

    /// Returns what a line means.
    mutating func reply(to line: String) -> Reply {
        if line == "?" { return .again(text.dim(help)) }
        if line.lowercased() == "q" { return .send(.answered(Answer(prompt: prompt, action: .cancel))) }
        // With a backslash, the line is an answer whatever it is.
        return answer(line.hasPrefix("\\") && line.count > 1 ? String(line.dropFirst()) : line)
    }

    private mutating func answer(_ line: String) -> Reply {
        switch kind {
        case .choice:
            var menu = menu ?? ChoiceMenu(result)
            defer { self.menu = menu }
            return menu.reply(to: line)
        case .value:
            if line.isEmpty { return .send(.answered(Answer(prompt: prompt, action: .decline))) }
            if line.hasPrefix("/"), isPlain == false {
                return .again(text.dim("  There is no list to search: answer in your own words."))
            }
            return .send(.answered(TypedAnswer(line, names: names).answer(to: prompt)))
        case .signIn: return signIn(line)
        case .confirmValue, .confirmIntent: return confirm(line)
        }
    }

    private func confirm(_ line: String) -> Reply {
        let typed = TypedAnswer(line, names: names)
        func answer(_ action: Answer.Action) -> Reply {
            .send(.answered(Answer(prompt: prompt, action: action, parameters: typed.parameters)))
        }
        switch typed.value.lowercased() {
        case "y": return answer(.accept)
        case "n": return answer(.decline)
        case "yes" where !typed.parameters.isEmpty: return answer(.accept)
        case "no" where !typed.parameters.isEmpty: return answer(.decline)
        case _ where line.isEmpty: return .again(text.dim("  \(steering)"))
        // The person is asked again after changing other values.
        default: return .send(.answered(typed.answer(to: prompt)))
        }
    }

    private var requirement: SignIn.Requirement? {
        result.data["signIn"]?["requires"]?.string.flatMap(SignIn.Requirement.init)
    }

    private func signIn(_ line: String) -> Reply {
        if line.lowercased() == "n" { return .send(.answered(Answer(prompt: prompt, action: .decline))) }
        guard let requirement else {
            let code: JSON? = line.isEmpty ? nil : .string(line)
            return .send(.answered(Answer(prompt: prompt, action: .accept, value: code)))
        }
        guard let principal = try? PrincipalOption.reading(line), principal.isPerson else {
            return .again(text.dim("  A principal has a type and an id, such as app_user:ann."))
        }
        return .signIn(principal, .answered(signedIn(requirement)))
    }

    /// The answer of a person who has signed in already; `nil` if someone has to sign in at the terminal.
    func answer(of principal: Principal?) -> Answer? {
        guard kind == .signIn, principal?.isPerson == true else { return nil }
        return requirement.map(signedIn)
    }

    private func signedIn(_ requirement: SignIn.Requirement) -> Answer {
        Answer(
            prompt: prompt, action: .accept,
            value: requirement == .localDevice ? .string(SignIn.localDevice) : nil)
    }
}
