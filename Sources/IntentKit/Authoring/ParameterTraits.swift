/// Who may see a parameter's value.
public enum ParameterSensitivity: String, Sendable, Hashable, CaseIterable {
    /// Anyone, logs included.
    case `public`
    /// The person and the workers. Neither logs nor error messages have it. This is so unless you say otherwise.
    case `private`
    /// Workers only: it is in no prompt, result, activity or summary, and the session doesn't remember it.
    case secret
}

/// For what a session remembers a parameter's value, once it is resolved. ``ParameterDefault/remembered`` takes it up again.
///
/// The memory ends with the session. Secrets are never remembered.
public struct ParameterMemory: Sendable, Hashable {
    enum Scope: Sendable, Hashable {
        case none, intent, session
        case named(String)
    }

    let scope: Scope

    /// Not at all. This is so unless you say otherwise.
    public static let none = Self(scope: .none)
    /// For this parameter of this intent.
    public static let intent = Self(scope: .intent)
    /// For every parameter of that name that says so too, whatever its intent.
    public static let session = Self(scope: .session)
    /// For every parameter that says so with the same key.
    public static func session(as key: String) -> Self { Self(scope: .named(key)) }

    func key(intent: String, parameter: String) -> String? {
        switch scope {
        case .none: nil
        case .intent: "\(intent).\(parameter)"
        case .session: parameter
        case .named(let key): key
        }
    }
}

/// How many values a list may have: `size: 2`, `size: .between(1...4)`.
///
/// With fewer the person is asked for the list, and more are unsupported with reason `tooManyValues`. It can only be made for lists.
public struct ParameterSize<List: ParameterValue>: Sendable {
    package let bounds: ClosedRange<Int>

    package init(bounds: ClosedRange<Int>) { self.bounds = bounds }
}

extension ParameterSize: ExpressibleByIntegerLiteral where List: Collection {
    /// Exactly so many.
    public init(integerLiteral value: Int) { self = .exactly(value) }
    /// Exactly so many; less than 0 means 0.
    public static func exactly(_ count: Int) -> Self { Self(bounds: max(0, count)...max(0, count)) }
    /// The lowest and the highest count; less than 0 means 0.
    public static func between(_ bounds: ClosedRange<Int>) -> Self { Self(bounds: max(0, bounds.lowerBound)...max(0, bounds.upperBound)) }
    public static func atLeast(_ count: Int) -> Self { Self(bounds: max(0, count)...Int.max) }
    public static func atMost(_ count: Int) -> Self { Self(bounds: 0...max(0, count)) }
}

/// How the person's side should take a text in. Written `String.IntentInputOptions(capitalizationType: .words)`, as in App Intents.
///
/// These are hints: no text is refused for them.
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
