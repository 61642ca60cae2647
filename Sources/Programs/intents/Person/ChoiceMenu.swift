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

    /// Shows the options of a result: the prompt's first page, or a requested page.
    mutating func show(_ result: ReceivedResult) {
        if startsOver { (options, section) = ([], nil) }
        startsOver = false
        let page = result.data["options"]?.elements ?? []
        for option in page {
            options.append(option)
            let title = option["section"]?.shown
            if let title, title != section { print("  \(title)") }
            section = title
            print(
                "  \(options.count). \(option["title"]?.shown ?? "")\(option["subtitle"]?.shown.map { "  \($0)" } ?? "")"
            )
        }
        next = result.data["optionsNext"]?.string.flatMap(Int.init)
        let total = result.data["optionsTotal"]?.int ?? options.count
        if options.isEmpty { print("  There is nothing with '\(search?.printable ?? "")'.") }
        if next != nil { print("  \(options.count) of \(total). Enter + for more, or / and words to search.") }
        if next == nil, result.data["optionsOmitted"]?.bool == true {
            print("  There are more. Say what you are looking for.")
        }
    }

    /// Reads the person's answer, or the person's request for other options.
    ///
    /// - Returns: `nil` if the input has ended.
    mutating func reply() -> SessionEvent? {
        let numbers = options.count == 1 ? "1" : "1-\(options.count)"
        while let said = read("\(options.isEmpty ? "/" : numbers)\(acceptsOthers ? ", or something else" : ""): ") {
            if said.isEmpty { return .answered(Answer(prompt: prompt, action: .decline)) }
            let typed = TypedAnswer(said, names: names)
            let (line, others) = (typed.value, typed.parameters)
            if line.isEmpty { return .answered(Answer(prompt: prompt, action: .accept, parameters: others)) }
            if line == "+", let next {
                return .optionsRequested(OptionsRequest(prompt: prompt, search: search, start: next))
            }
            if line.hasPrefix("/") {
                let words = line.dropFirst().trimmingCharacters(in: .whitespaces)
                search = words.isEmpty ? nil : words
                startsOver = true
                return .optionsRequested(OptionsRequest(prompt: prompt, search: search))
            }
            if let number = Int(line), options.indices.contains(number - 1) {
                return .answered(
                    Answer(
                        prompt: prompt, action: .accept, option: options[number - 1]["id"]?.string, parameters: others))
            }
            // Places such as "the last one" are those of the prompt, and not of what a search has found.
            if search != nil {
                return .answered(Answer(prompt: prompt, action: .accept, value: .string(line), parameters: others))
            }
            return .answered(typed.answer(to: prompt))
        }
        return nil
    }
}
