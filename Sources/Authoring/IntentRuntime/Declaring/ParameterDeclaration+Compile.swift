import IntentKit

extension ParameterDeclaration {
    /// Compiles the parameter.
    ///
    /// - Parameter index: The position of the parameter among the intent's parameters.
    /// - Returns: `nil` if the parameter's type can't be determined.
    func compile(at index: Int, problems: inout [DeclarationProblem]) -> (any DeclaredParameter)? {
        if type.isList, type.item.isList {
            problems.append(DeclarationProblem(["type"], "there are no lists of lists"))
            return nil
        }
        let valueType: any ParameterValue.Type = type.valueType
        return compile(as: valueType, at: index, problems: &problems)
    }

    private func compile<Base: ParameterValue>(
        as type: Base.Type, at index: Int, problems: inout [DeclarationProblem]
    ) -> (any DeclaredParameter)? {
        ParameterCompiler<Base>(declaration: self).compile(at: index, problems: &problems)
    }

    /// `true` if the name is valid for a parameter.
    static func isName(_ name: String, allowing others: String = "_") -> Bool {
        guard let first = name.first, first.isASCII, first.isLetter, name.utf8.count <= 80 else { return false }
        return name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || others.contains($0)) }
    }
}

/// Compiles a ``ParameterDeclaration`` with a known type into the specification that `@Parameter` makes from its
/// arguments.
private struct ParameterCompiler<Base: ParameterValue> {
    typealias Item = Base.ListItem

    let declaration: ParameterDeclaration
    private let form: ValueForm<Item>?
    private let query: DeclaredEntityQuery?

    init(declaration: ParameterDeclaration) {
        self.declaration = declaration
        switch declaration.type.item {
        case .enumeration(let enumeration):
            form = enumeration.form as? ValueForm<Item>
            query = nil
        case .entity(let catalogue):
            form = catalogue.form as? ValueForm<Item>
            query = catalogue.query
        default:
            form = nil
            query = nil
        }
    }

    func compile(at index: Int, problems: inout [DeclarationProblem]) -> any DeclaredParameter {
        checkType(&problems)
        var (form, provider) = (form, query as? any DynamicOptionsProvider<Item>)
        let options = options(&problems)
        if !options.isEmpty {
            form = ValueForm(options: options)
            provider = StaticOptions(options)
        }
        let range = range(&problems)
        let input = declaration.inputOptions.map { $0 as? ParameterInputOptions<Item> }
        if case .some(nil) = input {
            problems.append(DeclarationProblem(["input"], "only a string is taken in with a keyboard"))
        }
        if declaration.sensitivity == .secret, declaration.memory != .none || declaration.defaults.contains(.remembered)
        {
            problems.append(
                DeclarationProblem(["memory"], "a secret is never remembered: leave it out, or make it private"))
        }
        if declaration.isRequired, !declaration.noneWords.isEmpty {
            problems.append(
                DeclarationProblem(
                    ["none"], "a required parameter always needs a value: say 'required: false', or leave this out"))
        }
        let defaults = defaults(range, options, &problems)
        var traits = ParameterTrait<Base>.Traits(size: size(&problems), inputOptions: input.flatMap { $0 })
        traits.range = range
        traits.sensitivity = declaration.sensitivity
        traits.memory = declaration.memory
        traits.noneWords = declaration.noneWords
        let definition = ParameterSpecification<Base>(
            title: declaration.title, description: declaration.description,
            prompts: ParameterPrompts(
                value: declaration.prompt, choice: declaration.disambiguationPrompt,
                confirmation: declaration.confirmationPrompt),
            default: defaults, options: provider, traits: traits,
            converters: ConverterSpecification(), form: form)
        if declaration.isRequired {
            return TypedDeclaredParameter<Base>(declaration.name, at: index, definition, reader)
        }
        return TypedDeclaredParameter<Base?>(declaration.name, at: index, definition, reader)
    }

    // MARK: Values in the declaration

    private var itemDescription: String { form?.typeDescription ?? Item.typeDescription }

    private func item(_ json: JSONView) -> Item? {
        if let query {
            let id = (json["id"] ?? json).string ?? (json["id"] ?? json).json.description
            return query.all.first { $0.id == id } as? Item
        }
        return form?.read?(json) ?? (form == nil ? ParameterConversion<Item>.standard.read(json) : nil)
    }

    private var reader: DeclaredValueReader<Base> {
        var item = itemDescription
        if case .entity(let catalogue) = declaration.type.item { item = "the id of an entity in '\(catalogue.name)'" }
        guard let list = Base.listForm else {
            return DeclaredValueReader(item) { self.item($0) as? Base }
        }
        return DeclaredValueReader("a list, each element \(item)") { json in
            let elements = json.kind == .array ? json.elements : [json]
            let items = elements.compactMap { self.item($0) }
            return items.count == elements.count ? list.list(items) : nil
        }
    }

    // MARK: Properties of the parameter

    private func checkType(_ problems: inout [DeclarationProblem]) {
        switch declaration.type.item {
        case .enumeration(let enumeration):
            var ids: Set<String> = []
            for each in enumeration.cases where !ids.insert(each.id).inserted {
                problems.append(
                    DeclarationProblem(["options"], "'\(each.id)' is there twice: each option needs an id of its own"))
            }
            if enumeration.cases.isEmpty {
                problems.append(DeclarationProblem(["options"], "there has to be at least one option"))
            }
            if ids.contains("") { problems.append(DeclarationProblem(["options"], "an option's id can't be empty")) }
            if enumeration.cases.count > EnumerationDeclaration.maximumCases {
                let count = "\(enumeration.cases.count) options; \(EnumerationDeclaration.maximumCases) are allowed"
                problems.append(
                    DeclarationProblem(["options"], "there are \(count): make them a catalogue of entities"))
            }
        case .entity(let catalogue):
            if catalogue.entities.isEmpty {
                problems.append(DeclarationProblem(["type"], "the catalogue '\(catalogue.name)' has no entities"))
            }
        default: break
        }
    }

    private func options(_ problems: inout [DeclarationProblem]) -> [Item] {
        if declaration.options.isEmpty { return [] }
        if form != nil {
            problems.append(
                DeclarationProblem(["options"], "its type says already which values there are: leave the options out"))
            return []
        }
        var options: [Item] = []
        for (index, json) in declaration.options.enumerated() {
            guard let value = item(json.view) else {
                problems.append(
                    DeclarationProblem(["options", "\(index)"], "\(json.excerpt) is not \(itemDescription)"))
                continue
            }
            if options.contains(value) {
                problems.append(DeclarationProblem(["options", "\(index)"], "\(json.excerpt) is there twice"))
            } else {
                options.append(value)
            }
        }
        return options
    }

    private func range(_ problems: inout [DeclarationProblem]) -> ParameterRange<Item>? {
        guard let bounds = declaration.range else { return nil }
        func range<Value: ParameterValue & Comparable>(_ type: Value.Type) -> ParameterRange<Item>? {
            var found: [Value] = []
            for (json, side) in [(bounds.lower, "0"), (bounds.upper, "1")] {
                if let value = item(json.view) as? Value {
                    found.append(value)
                } else {
                    problems.append(DeclarationProblem(["range", side], "\(json.excerpt) is not \(itemDescription)"))
                }
            }
            guard found.count == 2 else { return nil }
            guard found[0] <= found[1] else {
                let message = "the lower bound \(bounds.lower.excerpt) is above the upper bound \(bounds.upper.excerpt)"
                problems.append(DeclarationProblem(["range"], message))
                return nil
            }
            return ParameterRange(found[0]...found[1]) as? ParameterRange<Item>
        }
        guard let type = Item.self as? any (ParameterValue & Comparable).Type else {
            problems.append(DeclarationProblem(["range"], "values of this type have no order: leave the range out"))
            return nil
        }
        return range(type)
    }

    private func size(_ problems: inout [DeclarationProblem]) -> ParameterSize<Base>? {
        guard let size = declaration.size else { return nil }
        guard Base.listForm != nil else {
            problems.append(
                DeclarationProblem(["size"], "only a list has a size: write 'type: [\(declaration.type.word)]' for one")
            )
            return nil
        }
        if size.lowerBound < 0 {
            problems.append(DeclarationProblem(["size"], "a list can't have fewer than 0 values"))
        }
        return ParameterSize(bounds: max(0, size.lowerBound)...max(0, size.upperBound))
    }

    private func defaults(
        _ range: ParameterRange<Item>?, _ options: [Item], _ problems: inout [DeclarationProblem]
    ) -> ParameterDefault<Base>? {
        var sources: [ParameterDefault<Base>.Source] = []
        for (index, each) in declaration.defaults.enumerated() {
            switch each {
            case .attribute(let name): sources.append(.attribute(name))
            case .remembered: sources.append(.remembered)
            case .constant(let json):
                let path = declaration.defaults.count == 1 ? ["default"] : ["default", "\(index)"]
                guard let value = reader.value(json.view) else {
                    problems.append(DeclarationProblem(path, "\(json.excerpt) is not \(reader.typeDescription)"))
                    continue
                }
                let items = Base.listForm?.items(value) ?? [value].compactMap { $0 as? Item }
                if items.contains(where: { range?.violation(by: $0) != nil }) {
                    problems.append(DeclarationProblem(path, "\(json.excerpt) is outside of the range"))
                }
                if !options.isEmpty, !items.allSatisfy({ options.contains($0) }) {
                    problems.append(DeclarationProblem(path, "\(json.excerpt) is not one of the options"))
                }
                if let size = declaration.size, Base.listForm != nil, !size.contains(items.count) {
                    let allowed =
                        size.lowerBound == size.upperBound
                        ? "\(size.lowerBound)" : "\(size.lowerBound) to \(size.upperBound)"
                    problems.append(DeclarationProblem(path, "its size is \(items.count), and has to be \(allowed)"))
                }
                sources.append(.constant(value))
            }
        }
        return sources.isEmpty ? nil : ParameterDefault(sources)
    }
}

extension DeclaredType {
    /// The type as written in a definition file. An enumeration is written as `string`, and a list as the type of its
    /// values.
    var word: String {
        switch self {
        case .measurement(let dimension): "{measurement: \(dimension.rawValue)}"
        case .enumeration: "string"
        case .entity(let catalogue): catalogue.name
        case .list(let item), .set(let item): item.word
        default: Self.named.first { $0.value == self }?.key ?? "string"
        }
    }
}
