/// An additional property of a parameter, which App Intents does not have or which only some types can have.
///
/// ```swift
/// @Parameter(title: "PIN", .sensitivity(.secret)) var pin: String
/// @Parameter(title: "Guests", .inclusiveRange(1...8), .memory(.session)) var guests: Int = 2
/// ```
/// If a parameter has two traits of the same kind, the last trait applies.
public struct ParameterTrait<Value: ParameterValue>: Sendable {
    /// The combination of the traits of one parameter, and the limits on its values.
    @usableFromInline package struct Traits {
        @usableFromInline package var range: ParameterRange<Value.ListItem>?
        package var size: ParameterSize<Value>?
        package var inputOptions: ParameterInputOptions<Value.ListItem>?
        package var sensitivity: ParameterSensitivity = .private
        package var memory: ParameterMemory = .none
        package var noneWords: [String] = []

        /// The reader of the values; `nil` unless the author's module has made it.
        @usableFromInline package var reader: ValueReader<Value>?

        @usableFromInline package init(
            _ traits: [ParameterTrait<Value>] = [], size: ParameterSize<Value>? = nil,
            inputOptions: ParameterInputOptions<Value.ListItem>? = nil
        ) {
            self.size = size
            self.inputOptions = inputOptions
            for trait in traits { trait.apply(&self) }
        }

        /// Returns the traits with a reader of the values that is compiled for their type.
        @inlinable package func withReader() -> Self {
            var traits = self
            traits.reader = ValueReader(range: range)
            return traits
        }
    }

    private let apply: @Sendable (inout Traits) -> Void

    private init(_ apply: @escaping @Sendable (inout Traits) -> Void) { self.apply = apply }
    @usableFromInline init(_ range: ParameterRange<Value.ListItem>) { apply = { $0.range = range } }

    /// Defines who may see the value.
    public static func sensitivity(_ sensitivity: ParameterSensitivity) -> Self {
        Self { $0.sensitivity = sensitivity }
    }

    /// Defines the scope in which the value is remembered.
    public static func memory(_ memory: ParameterMemory) -> Self { Self { $0.memory = memory } }

    /// Defines the words with which a person says that they want no particular value, such as "no preference"; case is
    /// ignored. An optional parameter is then `notRequired`, whatever its default. For a required parameter the words
    /// have no special meaning.
    public static func noneWords(_ words: [String]) -> Self { Self { $0.noneWords = words } }
}

extension ParameterTrait where Value.ListItem: Comparable {
    /// Limits the values to a range: App Intents' `inclusiveRange`. Values outside the range are `unsupported`, with
    /// the reason `belowMinimum` or `aboveMaximum`. For a list, the range applies to each value.
    @inlinable
    public static func inclusiveRange(_ range: ClosedRange<Value.ListItem>) -> Self { Self(ParameterRange(range)) }
}

/// The audience that may see the value of a parameter.
public enum ParameterSensitivity: String, Sendable, Hashable, CaseIterable {
    /// Anyone may see the value, including readers of logs.
    case `public`
    /// The person and the workers may see the value, but logs and error messages don't contain the value. The default.
    case `private`
    /// Only workers may see the value. No prompt, result, activity or summary contains the value, and it is not
    /// remembered.
    case secret
}

/// The scope in which the value of a parameter is remembered once the parameter is resolved.
/// ``ParameterDefault/remembered`` uses this scope.
///
/// Values in the scope of a session end with the session. Values in the scope of a person are stored in
/// `intents.memory` for a year after they were last said, or until the person has them deleted. Secrets are never
/// remembered.
public struct ParameterMemory: Sendable, Hashable {
    enum Scope: Sendable, Hashable {
        case none, intent, session, person
        case named(String, MemoryScope)
    }

    let scope: Scope

    /// The permitted number of bytes in a key.
    package static let keyLength = 1...256

    /// The value is not remembered. The default.
    public static let none = Self(scope: .none)
    /// The session remembers the value for this parameter of this intent.
    public static let intent = Self(scope: .intent)
    /// The session remembers the value for every parameter with the same name and this scope, in any intent.
    public static let session = Self(scope: .session)
    /// The session remembers the value for every parameter with this scope and the same key of 1 to 256 bytes.
    public static func session(as key: String) -> Self { Self(scope: .named(key, .session)) }
    /// All sessions of the person remember the value for every parameter with the same name and this scope, in any
    /// intent. For a person who is not authenticated, the session remembers the value.
    public static let person = Self(scope: .person)
    /// All sessions of the person remember the value for every parameter with this scope and the same key of 1 to 256
    /// bytes.
    public static func person(as key: String) -> Self { Self(scope: .named(key, .person)) }

    /// The owner of the memory: the session or the person.
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
/// If the list has fewer values, the person is asked for the list. A list with more values is `unsupported`, with the
/// reason `tooManyValues`.
public struct ParameterSize<List: ParameterValue>: Sendable {
    package let bounds: ClosedRange<Int>

    package init(bounds: ClosedRange<Int>) { self.bounds = bounds }
}

extension ParameterSize: ExpressibleByIntegerLiteral where List: Collection {
    /// Creates a size of exactly this number.
    public init(integerLiteral value: Int) { self = .exactly(value) }
    /// Returns a size of exactly this number; a number below 0 means 0.
    public static func exactly(_ count: Int) -> Self { Self(bounds: max(0, count)...max(0, count)) }
    /// Returns a size between the lowest and the highest count; a count below 0 means 0.
    public static func between(_ bounds: ClosedRange<Int>) -> Self {
        Self(bounds: max(0, bounds.lowerBound)...max(0, bounds.upperBound))
    }
    public static func atLeast(_ count: Int) -> Self { Self(bounds: max(0, count)...Int.max) }
    public static func atMost(_ count: Int) -> Self { Self(bounds: 0...max(0, count)) }
}

/// Hints for text input on the person's side. Write `String.IntentInputOptions(capitalizationType: .words)`, as in App
/// Intents.
///
/// The hints never cause a text to be rejected.
public struct ParameterInputOptions<Value: ParameterValue>: Sendable, Hashable {
    public enum KeyboardType: String, Sendable, Hashable, CaseIterable {
        case `default`, asciiCapable, numbersAndPunctuation, url, numberPad, phonePad, namePhonePad, emailAddress,
            decimalPad, webSearch
    }

    public enum CapitalizationType: String, Sendable, Hashable, CaseIterable {
        case none, words, sentences, allCharacters
    }

    public let keyboardType: KeyboardType
    public let capitalizationType: CapitalizationType
    /// `true` if the text may have several lines.
    public let multiline: Bool
    public let autocorrect: Bool
    public let smartQuotes: Bool
    public let smartDashes: Bool

    public init(
        keyboardType: KeyboardType = .default, capitalizationType: CapitalizationType = .sentences,
        multiline: Bool = false,
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
