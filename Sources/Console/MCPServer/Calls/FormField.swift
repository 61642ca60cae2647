package import IntentModel

/// A field of a form: a primitive value, or a choice of texts.
package struct FormField: Sendable {
    /// A value to choose, and the text that stands for the value in forms.
    package struct Choice: Sendable, Hashable {
        package var id: String
        package var title: String
        package var value: JSON

        package init(id: String, title: String, value: JSON) { (self.id, self.title, self.value) = (id, title, value) }
    }

    package enum Kind: Sendable, Hashable {
        case text(format: String?)
        case number(isWhole: Bool, minimum: JSON?, maximum: JSON?)
        case flag
        case choice([Choice])
        case choices([Choice], minimum: Int?, maximum: Int?)
    }

    package var name: String
    package var title: String?
    package var description: String?
    package var kind: Kind
    package var isRequired: Bool

    package static let maximumText = 4_000

    init(_ name: String, title: String?, description: String?, kind: Kind, isRequired: Bool) {
        self.name = name
        self.title = title?.shown(200)
        self.description = description?.shown(500)
        self.kind = kind
        self.isRequired = isRequired
    }

    /// Returns the kind of field for a parameter's declaration, as prompts contain it. A value that is not primitive is
    /// entered in words.
    static func kind(of declaration: JSONView?) -> Kind {
        let schema = declaration?["type"]?["schema"]
        if let choices = choices(of: schema) { return .choice(choices) }
        switch schema?["type"]?.string {
        case "integer", "number":
            let range = declaration?["range"]
            return .number(
                isWhole: schema?["type"]?.string == "integer", minimum: bound("minimum", range, schema),
                maximum: bound("maximum", range, schema))
        case "boolean": return .flag
        case "array":
            guard let choices = choices(of: schema?["items"]) else { return .text(format: nil) }
            let size = declaration?["size"]
            return .choices(choices, minimum: size?["minimum"]?.int, maximum: size?["maximum"]?.int)
        case "string":
            let format = schema?["format"]?.string
            return .text(format: ["email", "uri", "date", "date-time"].contains(format) ? format : nil)
        default: return .text(format: nil)
        }
    }

    private static func bound(_ name: String, _ range: JSONView?, _ schema: JSONView?) -> JSON? {
        (range?[name] ?? schema?[name]).flatMap { $0.kind == .number ? $0.json : nil }
    }

    /// Returns the choices of a schema that lists its values; `nil` if it lists none or more than 200.
    private static func choices(of schema: JSONView?) -> [Choice]? {
        let listed =
            schema?["enum"]?.elements.map { ($0, nil as String?) }
            ?? schema?["oneOf"]?.elements.compactMap { each in
                each["const"].map { ($0, each["title"]?.string) }
            }
        guard let listed, !listed.isEmpty, listed.count <= 200 else { return nil }
        return listed.map { value, title in
            let text = value.string ?? value.json.description
            return Choice(id: text, title: (title ?? text).shown(200), value: value.json)
        }
    }

    // MARK: Reading

    /// Returns the value that was entered; `nil` if none was entered.
    ///
    /// - Throws: ``AgentProblem`` that describes the valid values of the field.
    func read(_ entered: JSONView?) throws(AgentProblem) -> JSON? {
        guard let entered, !entered.isNull, entered.string != "" else { return nil }
        let name = title ?? self.name
        switch kind {
        case .text:
            guard
                let text = entered.kind == .number || entered.kind == .bool ? entered.json.description : entered.string,
                text.utf8.count <= Self.maximumText
            else { throw AgentProblem("'\(name)' takes a text of at most \(Self.maximumText) bytes") }
            return .string(text)
        case .number(let isWhole, let minimum, let maximum):
            guard let number = entered.double ?? entered.string.flatMap(Double.init), number.isFinite,
                !isWhole || number.rounded() == number && abs(number) < 9e15,
                number >= minimum?.view.double ?? -.infinity,
                number <= maximum?.view.double ?? .infinity
            else {
                let range = [minimum.map { "at least \($0)" }, maximum.map { "at most \($0)" }].compactMap(\.self)
                    .joined(
                        separator: " and ")
                throw AgentProblem(
                    "'\(name)' takes a \(isWhole ? "whole " : "")number\(range.isEmpty ? "" : " of \(range)")")
            }
            return isWhole ? .number(Int(number)) : .number(number)
        case .flag:
            guard let flag = entered.bool else { throw AgentProblem("'\(name)' takes true or false") }
            return .bool(flag)
        case .choice(let choices):
            guard let id = entered.string, let choice = Self.choice(id, choices) else {
                throw AgentProblem("'\(name)' takes one of: \(choices.prefix(20).map(\.id).joined(separator: ", "))")
            }
            return choice.value
        case .choices(let choices, let minimum, let maximum):
            let chosen = entered.elements.compactMap { $0.string.flatMap { Self.choice($0, choices) } }
            guard entered.kind == .array, chosen.count == entered.elements.count, chosen.count >= minimum ?? 0,
                chosen.count <= maximum ?? .max
            else {
                throw AgentProblem("'\(name)' takes a list of: \(choices.prefix(20).map(\.id).joined(separator: ", "))")
            }
            return .array(chosen.map(\.value))
        }
    }

    private static func choice(_ text: String, _ choices: [Choice]) -> Choice? {
        choices.first { $0.id == text } ?? choices.first { $0.title.lowercased() == text.lowercased() }
    }
}

extension String {
    /// Returns the text for a form or a message: without control characters and with at most `limit` characters. A text
    /// from outside can then neither hide nor imitate anything.
    package func shown(_ limit: Int) -> String {
        let text = withoutControlCharacters
        return text.count > limit ? "\(text.prefix(limit - 1))…" : text
    }
}
