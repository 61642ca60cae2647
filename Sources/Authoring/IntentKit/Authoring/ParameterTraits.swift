/// Who may see a parameter's value.
public enum ParameterSensitivity: String, Sendable, Hashable, CaseIterable {
    /// Anyone, including logs.
    case `public`
    /// The person and the workers, but not logs or error messages. The default.
    case `private`
    /// Only workers: it is in no prompt, result, activity or summary, and it is not remembered.
    case secret
}

/// The scope in which a parameter's value is remembered once it is resolved. ``ParameterDefault/remembered`` uses it.
///
/// What a session remembers ends with it. What is remembered about a person is kept in `intents.memory`, for a year after it was said last, until they have it
/// forgotten. Secrets are never remembered.
public struct ParameterMemory: Sendable, Hashable {
    enum Scope: Sendable, Hashable {
        case none, intent, session, person
        case named(String, MemoryScope)
    }

    let scope: Scope

    /// How many bytes a key has.
    package static let keyLength = 1...256

    /// Not remembered. The default.
    public static let none = Self(scope: .none)
    /// For this parameter of this intent.
    public static let intent = Self(scope: .intent)
    /// For every parameter with that name and this scope, whatever its intent.
    public static let session = Self(scope: .session)
    /// For every parameter with this scope and the same key of 1 to 256 bytes.
    public static func session(as key: String) -> Self { Self(scope: .named(key, .session)) }
    /// In all sessions of the person, for every parameter with that name and this scope, whatever its intent. For someone who is not authenticated, their
    /// session remembers it.
    public static let person = Self(scope: .person)
    /// In all sessions of the person, for every parameter with this scope and the same key of 1 to 256 bytes.
    public static func person(as key: String) -> Self { Self(scope: .named(key, .person)) }

    /// For whom it is remembered.
    package var owner: MemoryScope {
        switch scope {
        case .none, .intent, .session: .session
        case .person: .person
        case .named(_, let owner): owner
        }
    }

    func key(intent: String, parameter: String) -> String? {
        switch scope {
        case .none: nil
        case .intent: "\(intent).\(parameter)"
        case .session, .person: parameter
        case .named(let key, _): key
        }
    }
}

/// The number of values that a list may have: `size: 2`, `size: .between(1...4)`.
///
/// If there are fewer, the person is asked for the list. More are `unsupported`, with the reason `tooManyValues`. Only for lists.
public struct ParameterSize<List: ParameterValue>: Sendable {
    package let bounds: ClosedRange<Int>

    package init(bounds: ClosedRange<Int>) { self.bounds = bounds }
}

extension ParameterSize: ExpressibleByIntegerLiteral where List: Collection {
    /// Exactly this number.
    public init(integerLiteral value: Int) { self = .exactly(value) }
    /// Exactly this number; less than 0 means 0.
    public static func exactly(_ count: Int) -> Self { Self(bounds: max(0, count)...max(0, count)) }
    /// The lowest and the highest count; less than 0 means 0.
    public static func between(_ bounds: ClosedRange<Int>) -> Self { Self(bounds: max(0, bounds.lowerBound)...max(0, bounds.upperBound)) }
    public static func atLeast(_ count: Int) -> Self { Self(bounds: max(0, count)...Int.max) }
    public static func atMost(_ count: Int) -> Self { Self(bounds: 0...max(0, count)) }
}

/// Hints for text input on the person's side. Written `String.IntentInputOptions(capitalizationType: .words)`, as in App Intents.
///
/// No text is rejected because of them.
public struct ParameterInputOptions<Value: ParameterValue>: Sendable, Hashable {
    public enum KeyboardType: String, Sendable, Hashable, CaseIterable {
        case `default`, asciiCapable, numbersAndPunctuation, url, numberPad, phonePad, namePhonePad, emailAddress, decimalPad, webSearch
    }

    public enum CapitalizationType: String, Sendable, Hashable, CaseIterable {
        case none, words, sentences, allCharacters
    }

    public let keyboardType: KeyboardType
    public let capitalizationType: CapitalizationType
    /// Whether the text may have several lines.
    public let multiline: Bool
    public let autocorrect: Bool
    public let smartQuotes: Bool
    public let smartDashes: Bool

    public init(
        keyboardType: KeyboardType = .default, capitalizationType: CapitalizationType = .sentences, multiline: Bool = false,
        autocorrect: Bool = true, smartQuotes: Bool = true, smartDashes: Bool = true
    ) where Value == String {
        self.keyboardType = keyboardType
        self.capitalizationType = capitalizationType
        self.multiline = multiline
        self.autocorrect = autocorrect
        self.smartQuotes = smartQuotes
        self.smartDashes = smartDashes
    }
}

extension String {
    public typealias IntentInputOptions = ParameterInputOptions<String>
}
