public import IntentKit

/// What a parameter is, as far as it is known before anybody asks for the intent.
public struct ParameterCatalogEntry: Sendable, Hashable {
    public var name: String
    public var title: String
    public var description: String?
    public var type: TypeDescription
    /// The person is asked for it. A required parameter with a default is not asked for.
    public var isRequired: Bool
    public var defaultValue: Default?
    /// Of a list it is about each of the values.
    public var range: Range?
    /// How many values a list may have.
    public var size: ClosedRange<Int>?
    public var options: Options
    /// What the person is asked, by what for.
    public var prompts: [Detail] = []
    /// What else is declared of it, in the words of the declaration: `sensitivity: secret`.
    public var details: [Detail] = []

    public struct TypeDescription: Sendable, Hashable {
        /// The Swift type's name, without that of its module.
        public var name: String
        /// Such as "a whole number".
        public var description: String
        /// The JSON Schema of its wire form.
        public var schema: JSON
    }

    public struct Default: Sendable, Hashable {
        /// `nil` if it is only known when the intent is resolved.
        public var value: JSON?
        public var text: String
    }

    /// Inclusive.
    public struct Range: Sendable, Hashable {
        public var minimum: JSON
        public var maximum: JSON
        public var text: String
    }

    /// Where the values come from that it may have.
    public enum Options: Sendable, Hashable {
        /// It may be any value of its type.
        case any
        /// The cases of an ``AppEnum``, or what else is known when the code is written.
        case known([Option])
        /// A provider of this type says so when the parameter is resolved.
        case provided(by: String)
    }

    public struct Option: Sendable, Hashable {
        public var id: String
        public var title: String
        public var subtitle: String?
    }

    public struct Detail: Sendable, Hashable {
        public var name: String
        public var value: String
    }
}
