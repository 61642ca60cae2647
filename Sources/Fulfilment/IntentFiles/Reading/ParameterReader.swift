import IntentKit
import IntentRuntime

/// Reads a parameter.
struct ParameterReader {
    let types: [String: DeclaredType]

    /// - Returns: `nil` if the type can't be determined.
    func read(_ name: String, _ field: Field) -> ParameterDeclaration? {
        // `seats: int` is short for `seats: {type: int}`.
        if !field.isMapping {
            return TypeReader(types: types).read(field).map {
                ParameterDeclaration(name, $0, title: Words.title(of: name))
            }
        }
        guard let members = field.members(.parameter) else { return nil }
        guard let written = members["type"] else {
            field.refuse("'type' is missing: say what it is, such as 'type: string'")
            return nil
        }
        guard var type = TypeReader(types: types).read(written) else { return nil }
        var options: [JSON] = []
        if let field = members["options"] {
            if type.item == .string {
                let cases = EnumerationDeclaration(Words.typeName(of: name), cases: OptionReader.cases(field))
                type =
                    type.isList
                    ? (type == .set(.string) ? .set(.enumeration(cases)) : .list(.enumeration(cases)))
                    : .enumeration(cases)
            } else {
                options = field.elements("a list of values")?.map(\.json) ?? []
                if options.isEmpty, field.isList { field.refuse("there has to be at least one option") }
            }
        }
        var parameter = ParameterDeclaration(name, type, title: members["title"]?.localized() ?? Words.title(of: name))
        parameter.options = options
        parameter.description = members["description"]?.localized()
        if let required = members["required"]?.bool() { parameter.isRequired = required }
        parameter.prompt = members["prompt"]?.localized()
        parameter.disambiguationPrompt = members["disambiguationPrompt"]?.localized()
        parameter.confirmationPrompt = members["confirmationPrompt"]?.localized()
        parameter.defaults = members["default"].map { defaults($0, type) } ?? []
        parameter.range = members["range"].flatMap { range($0) }
        parameter.size = members["size"].flatMap { size($0) }
        parameter.inputOptions = members["input"].flatMap { input($0) }
        if let sensitivity = members["sensitivity"]?.choice(of: ParameterSensitivity.self) {
            parameter.sensitivity = sensitivity
        }
        if let memory = members["memory"].flatMap({ memory($0) }) { parameter.memory = memory }
        parameter.noneWords = members["none"]?.oneOrMore.compactMap { $0.text("the words for no value") } ?? []
        if let resolve = members["resolve"]?.choice(["declaration", "fulfilment"]) {
            parameter.isResolvedByFulfilment = resolve == "fulfilment"
        }
        parameter.after = members["after"]?.oneOrMore.compactMap { $0.text("the name of a parameter") } ?? []
        return parameter
    }

    // MARK: Parts of a parameter

    /// Reads a constant, `remembered`, `{attribute: …}`, `{constant: …}`, or a list of these. For a list parameter, a
    /// list of only constants is the default value itself.
    private func defaults(_ field: Field, _ type: DeclaredType) -> [ParameterDeclaration.Default] {
        func source(_ field: Field) -> ParameterDeclaration.Default? {
            if field.scalar == "remembered" { return .remembered }
            if field["attribute"] != nil || field["constant"] != nil {
                guard let members = field.members(.defaultSource) else { return nil }
                if members.count > 1 {
                    field.refuse("'constant' and 'attribute' are two defaults: write a list of both")
                    return nil
                }
                if let attribute = members["attribute"] {
                    return attribute.text("the name of an attribute").map { .attribute($0) }
                }
                return members["constant"].map { .constant($0.json) }
            }
            if field.node.isNull {
                field.refuse("a default can't be nothing: leave it out, and say 'required: false'")
                return nil
            }
            return .constant(field.json)
        }
        guard field.isList else { return source(field).map { [$0] } ?? [] }
        let elements = field.oneOrMore
        if type.isList,
            elements.allSatisfy({ $0.scalar != "remembered" && $0["attribute"] == nil && $0["constant"] == nil })
        {
            return [.constant(field.json)]
        }
        return elements.compactMap { source($0) }
    }

    private func range(_ field: Field) -> ParameterDeclaration.Bounds? {
        let what = "a list of the lowest and the highest value, such as [1, 6]"
        guard let bounds = field.elements(what) else { return nil }
        guard bounds.count == 2 else {
            field.refuse("this has to be \(what); it has \(bounds.count)")
            return nil
        }
        return .init(bounds[0].json, bounds[1].json)
    }

    private func size(_ field: Field) -> ClosedRange<Int>? {
        let counts = 0...10_000
        if field.isMapping {
            guard let members = field.members(.size) else { return nil }
            let least = members["atLeast"].map { $0.int(counts) } ?? 0
            let most = members["atMost"].map { $0.int(counts) } ?? Int.max
            guard let least, let most else { return nil }
            return bounds(least, most, field)
        }
        if field.isList {
            let elements = field.oneOrMore
            guard elements.count == 2 else {
                field.refuse("this has to be a number of values, or the minimum and the maximum, such as [1, 3]")
                return nil
            }
            guard let least = elements[0].int(counts), let most = elements[1].int(counts) else { return nil }
            return bounds(least, most, field)
        }
        return field.int(counts).map { $0...$0 }
    }

    private func bounds(_ least: Int, _ most: Int, _ field: Field) -> ClosedRange<Int>? {
        if least <= most { return least...most }
        field.refuse("the least, \(least), is more than the most, \(most)")
        return nil
    }

    private func input(_ field: Field) -> String.IntentInputOptions? {
        guard let members = field.members(.input) else { return nil }
        return .init(
            keyboardType: members["keyboard"]?.choice(of: String.IntentInputOptions.KeyboardType.self) ?? .default,
            capitalizationType: members["capitalization"]?.choice(of: String.IntentInputOptions.CapitalizationType.self)
                ?? .sentences,
            multiline: members["multiline"]?.bool() ?? false, autocorrect: members["autocorrect"]?.bool() ?? true,
            smartQuotes: members["smartQuotes"]?.bool() ?? true, smartDashes: members["smartDashes"]?.bool() ?? true)
    }

    private func memory(_ field: Field) -> ParameterMemory? {
        if field.isMapping {
            guard let members = field.members(.memoryForm) else { return nil }
            if let person = members["person"] {
                if members["session"] != nil { field.refuse("is either 'session' or 'person'") }
                return person.text("the key to remember it by").map { .person(as: $0) }
            }
            return members["session"]?.text("the key to remember it by").map { .session(as: $0) }
        }
        switch field.choice(["none", "intent", "session", "person"]) {
        case "none": return ParameterMemory.none
        case "intent": return .intent
        case "session": return .session
        case "person": return .person
        default: return nil
        }
    }
}

/// Makes default titles and type names from a parameter's name.
enum Words {
    /// Returns a title, such as "Pickup location" for `pickupLocation` and `pickup_location`.
    static func title(of name: String) -> LocalizedText {
        var words = ""
        for character in name {
            if character == "_" || character == "-" || character == "." {
                words.append(" ")
            } else if character.isUppercase, words.last?.isLowercase == true {
                words += " \(character.lowercased())"
            } else {
                words.append(character)
            }
        }
        return LocalizedText(words.prefix(1).uppercased() + words.dropFirst())
    }

    /// Returns the name of a type, such as "TableSize" for `tableSize`.
    static func typeName(of name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}
