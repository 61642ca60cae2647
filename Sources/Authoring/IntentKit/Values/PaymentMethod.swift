/// A means of payment: SiriKit's `INPaymentMethod`, without the icon.
///
/// In JSON a method is `{"type","name"?,"identificationHint"?,"identifier"?}`, or a string: a type in words ("credit
/// card", "savings account"), or else the name of the method ("Visa").
public struct PaymentMethod: ParameterValue {
    /// The type of a payment method: `INPaymentMethodType`.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case unknown, checking, savings, brokerage, debit, credit, prepaid, store, applePay
    }

    public var type: Kind
    public var name: String?
    /// A text that distinguishes the method from others with the same name, such as the last four digits of a card;
    /// never a whole number.
    public var identificationHint: String?
    /// The identifier in the author's own data. Set the identifier in the resolution, so that a chosen method stays
    /// chosen.
    public var identifier: String?

    public init(type: Kind, name: String? = nil, identificationHint: String? = nil, identifier: String? = nil) {
        self.type = type
        self.name = name
        self.identificationHint = identificationHint
        self.identifier = identifier
    }

    /// Apple Pay: `INPaymentMethod.applePay()`.
    public static let applePay = PaymentMethod(type: .applePay, name: "Apple Pay")

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "a way to pay: its name, or an object with 'type' and, if known, 'name'"
    }
    public static var jsonSchema: JSON {
        let string = JSON.typeSchema("string")
        return .objectSchema(
            [
                "type": .object(["enum": .array(Kind.allCases.map { .string($0.rawValue) })]), "name": string,
                "identificationHint": string, "identifier": string,
            ], required: ["type"])
    }

    /// Reads a method from JSON. An unknown type becomes `unknown`, so that senders may be updated before this code.
    public init?(json: JSONView) {
        guard let type = json["type"]?.string else { return nil }
        self.init(
            type: Kind(rawValue: type) ?? .unknown, name: json["name"]?.string,
            identificationHint: json["identificationHint"]?.string,
            identifier: json["identifier"]?.string)
    }

    public init?(text: String) {
        let name = SpokenNumber.trimmed(text)
        guard !name.isEmpty else { return nil }
        var words = TextFolding.fold(text).split(separator: " ")
        if words.first == "my" { words.removeFirst() }
        if words == ["apple", "pay"] {
            self = .applePay
            return
        }
        if words.count == 2, words[1] == "card" || words[1] == "account" { words.removeLast() }
        if words.count == 1, let type = Kind(rawValue: String(words[0])), type != .unknown {
            self.init(type: type)
        } else {
            self.init(type: .unknown, name: String(name))
        }
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", type.rawValue)
        writer.member("name", ifPresent: name)
        writer.member("identificationHint", ifPresent: identificationHint)
        writer.member("identifier", ifPresent: identifier)
        writer.endObject()
    }

    public var displayText: String { name ?? typeName }
    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(
            title: LocalizedText(displayText), subtitle: identificationHint.map { LocalizedText($0) },
            synonyms: name == nil ? [] : [LocalizedText(typeName)])
    }
    public var optionID: String {
        identifier ?? [displayText, identificationHint].compactMap(\.self).joined(separator: " ")
    }

    private var typeName: String {
        switch type {
        case .unknown: "payment method"
        case .checking, .savings, .brokerage: "\(type.rawValue) account"
        case .debit, .credit, .prepaid, .store: "\(type.rawValue) card"
        case .applePay: "Apple Pay"
        }
    }
}
