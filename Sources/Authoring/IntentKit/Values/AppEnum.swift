import Synchronization

/// An enumeration whose cases are the values of a parameter: App Intents' protocol of the same name.
///
/// ```swift
/// enum Sweetness: String, AppEnum {
///     case dry, sweet
///     static let typeDisplayRepresentation: TypeDisplayRepresentation = "Sweetness"
///     static let caseDisplayRepresentations: [Sweetness: DisplayRepresentation] = [
///         .dry: DisplayRepresentation(title: "Dry", synonyms: ["not sweet"]), .sweet: "Sweet",
///     ]
/// }
/// ```
/// In JSON a case is its raw value. A person may say the raw value, the title or a synonym; case and diacritics are
/// ignored.
public protocol AppEnum: ParameterValue, RawRepresentable, CaseIterable where RawValue == String {
    static var typeDisplayRepresentation: TypeDisplayRepresentation { get }
    /// The representations of the cases. A case without a representation is shown by its raw value.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension AppEnum {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String {
        "one of " + allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
    /// The JSON Schema of the cases: one `const` for each case, with its title.
    public static var jsonSchema: JSON {
        let cases = allCases.map { value in
            JSON.object([
                "const": .string(value.rawValue), "title": .string(value.displayRepresentation.title.original),
            ])
        }
        return .object(["type": .string("string"), "oneOf": .array(cases)])
    }
    public static var knownValues: [Self]? { Array(allCases) }

    public init?(json: JSONView) { return nil }

    public init?(text: String) {
        if let exact = Self(rawValue: text) {
            self = exact
            return
        }
        guard let place = AppEnumNames.of(Self.self)[TextFolding.fold(text)], let place else { return nil }
        let cases = Self.allCases
        self = cases[cases.index(cases.startIndex, offsetBy: place)]
    }

    public func encode(to writer: inout JSONWriter) { writer.string(rawValue) }

    public var displayRepresentation: DisplayRepresentation {
        Self.caseDisplayRepresentations[self] ?? DisplayRepresentation(title: LocalizedText(rawValue))
    }
    public var displayText: String { displayRepresentation.title.original }
    public func displayText(in locale: String?) -> String { displayRepresentation.title.text(in: locale) }
    public var optionID: String { rawValue }
}

/// The names of the cases of enumerations, folded by ``TextFolding`` and computed once for each type.
enum AppEnumNames {
    /// Returns the index of a case by each of its names in the developer's language; `nil` for a name of several cases.
    static func of<Value: AppEnum>(_ type: Value.Type) -> [String: Int?] {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        // The names are computed outside the lock, because this calls the type's own code.
        var names: [String: Int?] = [:]
        for (place, value) in Value.allCases.enumerated() {
            let representation = value.displayRepresentation
            let titles = [representation.title.original] + representation.synonyms.map(\.original)
            for name in Set(([value.rawValue] + titles).map { TextFolding.fold($0) }) {
                names.updateValue(names[name] == nil ? place : nil, forKey: name)
            }
        }
        cache.withLock { $0[key] = names }
        return names
    }

    /// The names by type: at most one entry for each enumeration that is a parameter type of the program.
    private static let cache = Mutex<[ObjectIdentifier: [String: Int?]]>([:])
}
