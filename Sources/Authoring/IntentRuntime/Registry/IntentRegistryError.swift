import IntentKit

/// A mistake in the declaration of intents, found when the process starts.
public struct IntentRegistryError: Error, Sendable, Hashable, CustomStringConvertible {
    public enum Code: String, Sendable, Hashable {
        /// Two extensions serve the same intent (SiriKit: `intentSupportedByMultipleExtension`).
        case intentServedTwice
        /// A `@Parameter` is missing from the intent's `Parameters`.
        case parameterMissing
        /// A `@Parameter` is listed twice in the intent's `Parameters`.
        case parameterDoubled
        /// The intent's `Parameters` or summary names something that is not a `@Parameter` stored in the intent.
        case parameterUnknown
        /// An extension lists two handlers for an intent, or the handler that it returns for an intent does not handle
        /// the intent or lists it twice.
        case handlerMismatched
        /// A rule of a handler's `resolution` names no parameter of the intent, is the second rule for its parameter,
        /// or does not fit the parameter's type.
        case resolutionMismatched
        /// An extension has no handler for any of its intents.
        case handlerMissing
        /// An ``IntentDeclaration`` is invalid, or the memory key of a parameter is too long. The message lists every
        /// problem, one per line.
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
