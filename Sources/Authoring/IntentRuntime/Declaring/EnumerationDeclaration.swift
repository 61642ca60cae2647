public import IntentKit

/// The values that a declared parameter can have, each with its names for people. The counterpart in Swift is an
/// ``AppEnum``.
public struct EnumerationDeclaration: Sendable, Hashable {
    public struct Case: Sendable, Hashable {
        /// The case's identifier in events.
        public var id: String
        public var title: LocalizedText
        public var subtitle: LocalizedText?
        /// Other names that a person may use for the case.
        public var synonyms: [LocalizedText]

        /// - Parameter title: The title. Defaults to the identifier.
        public init(
            _ id: String, title: LocalizedText? = nil, subtitle: LocalizedText? = nil, synonyms: [LocalizedText] = []
        ) {
            self.id = id
            self.title = title ?? LocalizedText(id)
            self.subtitle = subtitle
            self.synonyms = synonyms
        }
    }

    /// The type's name in the catalogue of intents.
    public var name: String
    /// The cases: at most 1,000, with different identifiers.
    public var cases: [Case]

    public init(_ name: String, cases: [Case]) {
        self.name = name
        self.cases = cases
    }

    static let maximumCases = 1_000
}

/// One value of an ``EnumerationDeclaration``.
struct DeclaredCase: ParameterValue {
    let id: String
    let displayRepresentation: DisplayRepresentation

    init(_ declaration: EnumerationDeclaration.Case) {
        id = declaration.id
        displayRepresentation = DisplayRepresentation(
            title: declaration.title, subtitle: declaration.subtitle, synonyms: declaration.synonyms)
    }

    static var jsonKind: JSONView.Kind { .string }
    static var typeDescription: String { "one of its options" }
    static func == (a: DeclaredCase, b: DeclaredCase) -> Bool { a.id == b.id }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// Always `nil`, because only the declaration knows the cases.
    init?(json: JSONView) { return nil }
    func encode(to writer: inout JSONWriter) { writer.string(id) }
    var displayText: String { displayRepresentation.title.original }
    func displayText(in locale: String?) -> String { displayRepresentation.title.text(in: locale) }
    var optionID: String { id }
}

extension EnumerationDeclaration {
    /// The form of the type with these cases. Names are folded once.
    var form: ValueForm<DeclaredCase> {
        let values = cases.map { DeclaredCase($0) }
        var byID: [String: DeclaredCase] = [:]
        var byName: [String: DeclaredCase?] = [:]
        for value in values {
            if byID[value.id] == nil { byID[value.id] = value }
            for name in Set(value.displayRepresentation.allNames + [TextFolding.fold(value.id)]) {
                // A name of two cases identifies neither.
                byName.updateValue(byName[name] == nil ? value : nil, forKey: name)
            }
        }
        let described = values.map { value in
            JSON.object(["const": .string(value.id), "title": .string(value.displayText)])
        }
        return ValueForm(
            typeName: name, typeDescription: "one of " + values.map { "'\($0.id)'" }.joined(separator: ", "),
            schema: .object(["type": .string("string"), "oneOf": .array(described)]), known: values,
            read: { [byID, byName] view in
                guard
                    let text = view.string ?? (view.kind == .number || view.kind == .bool ? view.json.description : nil)
                else {
                    return nil
                }
                return byID[text] ?? byName[TextFolding.fold(text)].flatMap { $0 }
            })
    }
}

extension DisplayRepresentation {
    /// The title and synonyms in all their languages, folded.
    var allNames: [String] {
        ([title] + synonyms).flatMap { [$0.original] + $0.translations.values }.map { TextFolding.fold($0) }
    }
}
