/// An enumeration whose cases are a parameter's values: App Intents' protocol of the same name.
///
/// ```swift
/// enum Sweetness: String, AppEnum {
///     case dry, sweet
///     static let typeDisplayName: LocalizedText = "Sweetness"
///     static let caseDisplayRepresentations: [Sweetness: DisplayRepresentation] = [
///         .dry: DisplayRepresentation(title: "Dry", synonyms: ["not sweet"]), .sweet: "Sweet",
///     ]
/// }
/// ```
/// In JSON a case is its raw value. A person may say the raw value, the title or a synonym; case and diacritics don't matter.
public protocol AppEnum: ParameterValue, RawRepresentable, CaseIterable where RawValue == String {
    static var typeDisplayName: LocalizedText { get }
    /// A case that is not in here is shown by its raw value.
    static var caseDisplayRepresentations: [Self: DisplayRepresentation] { get }
}

extension AppEnum {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String {
        "one of " + allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
    }
    /// One `const` per case, with its title.
    public static var jsonSchema: JSON {
        let cases = allCases.map { value in
            JSON.object(["const": .string(value.rawValue), "title": .string(value.displayRepresentation.title.original)])
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
