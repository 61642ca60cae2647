import IntentKit

/// A mistake in how intents are declared, found when the process starts.
public struct IntentRegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// Two extensions serve the same intent (SiriKit: `intentSupportedByMultipleExtension`).
        case intentServedTwice
        /// A `@Parameter` is missing in the intent's `Parameters`.
        case parameterMissing
        /// A `@Parameter` is listed twice there.
        case parameterDoubled
        /// The list or the summary names something that is not a `@Parameter` stored in the intent.
        case parameterUnknown
        /// An extension lists two handlers for an intent, or the one that it returns for it does not handle it, or lists it twice.
        case handlerMismatched
        /// A rule of a handler's `resolution` names no parameter of the intent, is the second one for its parameter, or does not fit the parameter's type.
        case resolutionMismatched
        /// An extension has no handler for any of its intents.
        case handlerMissing
        /// An ``IntentDeclaration`` is invalid, or a parameter has too long a memory key; the message lists every problem, one per line.
        case declarationInvalid
        /// A `@Dependency` is not provided.
        case dependencyMissing
    }

    public var code: Code
    public var message: String

    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    public var description: String { message }
}
