import Conversation
import Foundation
import IntentEvents
import IntentModel

/// The options of a prompt at the terminal: a numbered list that grows page by page, and can be searched.
struct ChoiceMenu {
    let prompt: Identifier
    /// `true` if the person may answer with a value that is not among the options.
    private let acceptsOthers: Bool
    /// The names of the intent's parameters.
    private let names: [String]
    private var options: [JSONView] = []
    private var next: Int?
    private var search: String?
    private var section: String?
    /// `true` if the next page is the first one of a new search.
    private var startsOver = true

    /// - Parameter result: A prompt of kind `choice`.
    init(_ result: ReceivedResult) {
        prompt = result.prompt ?? ""
        acceptsOthers = result.data["parameter"] != nil
        names = (result.data["parameters"]?.elements ?? []).compactMap { $0["parameter"]?.string }
    }

    /// Adds the options of a result: the prompt's first page, or a requested page.
    ///
    /// - Returns: The lines that show them.
    mutating func add(_ result: ReceivedResult) -> [String] {
        var lines: [String] = []
        if startsOver { (options, section) = ([], nil) }
        startsOver = false
        for option in result.data["options"]?.elements ?? [] {
            options.append(option)
            let title = option["section"]?.shown
            if let title, title != section { lines.append("  \(title)") }
            section = title
            lines.append(
                "  \(options.count). \(option["title"]?.shown ?? "")\(option["subtitle"]?.shown.map { "  \($0)" } ?? "")"
            )
        }
        next = result.data["optionsNext"]?.string.flatMap(Int.init)
        let total = result.data["optionsTotal"]?.int ?? options.count
        if options.isEmpty { lines.append("  There is nothing with '\(search?.printable ?? "")'. / alone shows all.") }
        if next != nil { lines.append("  \(options.count) of \(total). Enter + for more, or / and words to search.") }
        if next == nil, result.data["optionsOmitted"]?.bool == true {
            lines.append("  There are more. Say what you are looking for.")
        }
        return lines
    }

    /// The text before the cursor.
    var cursor: String {
        let numbers = options.isEmpty ? "/" : options.count == 1 ? "1" : "1-\(options.count)"
        return "\(numbers)\(acceptsOthers ? ", or something else" : ""): "
    }

    /// Returns the person's answer, or the person's request for other options.
    mutating func reply(to line: String) -> TerminalQuestion.Reply {
        let typed = TypedAnswer(line, names: names)
        let (value, others) = (typed.value, typed.parameters)
        func answer(_ action: Answer.Action, option: String? = nil, value: JSON? = nil) -> TerminalQuestion.Reply {
            .send(.answered(Answer(prompt: prompt, action: action, value: value, option: option, parameters: others)))
        }
        if line.isEmpty { return answer(.decline) }
        if value.isEmpty { return answer(.accept) }
        if value == "+" {
            guard let next else { return .again("  That is all.") }
            return .send(.optionsRequested(OptionsRequest(prompt: prompt, search: search, start: next)))
        }
        if value.hasPrefix("/") {
            let words = value.dropFirst().trimmingCharacters(in: .whitespaces)
            search = words.isEmpty ? nil : words
            startsOver = true
            return .send(.optionsRequested(OptionsRequest(prompt: prompt, search: search)))
        }
        if let number = Int(value), options.indices.contains(number - 1) {
            return answer(.accept, option: options[number - 1]["id"]?.string)
        }
        guard search != nil else { return .send(.answered(typed.answer(to: prompt))) }
        if Int(value) != nil { return .again("  No option has this number. / alone shows all.") }
        // Places such as "the last one" are those of the prompt, and not of what a search has found.
        return answer(.accept, value: .string(value))
    }
}
