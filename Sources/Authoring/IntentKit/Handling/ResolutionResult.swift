/// The result of a ``Resolve``: one of SiriKit's six resolution results (`INIntentResolutionResult`).
///
/// `success` and `notRequired` continue; every other result asks the person. Without a `dialog`, the coordinator uses a
/// text of its own.
public struct ResolutionResult<Value: ParameterValue>: Sendable {
    package enum Kind: Sendable {
        case success(Value)
        case notRequired
        case needsValue
        case disambiguation([Value])
        case confirmationRequired(Value)
        case unsupported(reason: String)
    }

    package let kind: Kind
    package let dialog: LocalizedText?
    package private(set) var supporting: LocalizedText?

    private init(_ kind: Kind, dialog: LocalizedText? = nil) {
        self.kind = kind
        self.dialog = dialog
    }

    /// Adds the text that the person reads next to the options, if the dialog contains all information for speech: App
    /// Intents' `IntentDialog(full:supporting:)`.
    public func supporting(_ text: LocalizedText) -> Self {
        var result = self
        result.supporting = text
        return result
    }

    /// Continues with this value, which may have more detail than the given value: add identifiers and coordinates,
    /// which are retained until handle.
    public static func success(_ value: Value) -> Self { Self(.success(value)) }

    /// Continues without a value, even if the request gave one. Valid for optional parameters and for parameters with a
    /// default.
    public static func notRequired() -> Self { Self(.notRequired) }

    /// Asks for a value. The dialog defaults to the parameter's prompt.
    public static func needsValue(_ dialog: LocalizedText? = nil) -> Self { Self(.needsValue, dialog: dialog) }

    /// Asks which of these values the person means. A single value is a question with yes or no; without values the
    /// result is `unsupported` with the reason `noMatch`. The person is not asked again about a value that they have
    /// already chosen.
    public static func disambiguation(_ values: [Value], dialog: LocalizedText? = nil) -> Self {
        Self(.disambiguation(values), dialog: dialog)
    }

    /// Asks whether the person means this value. The person is not asked again about a value that they have already
    /// confirmed.
    public static func confirmationRequired(_ value: Value, dialog: LocalizedText? = nil) -> Self {
        Self(.confirmationRequired(value), dialog: dialog)
    }

    /// Rejects the value and asks the person for another value, with the reason.
    ///
    /// - Parameter reason: The reason for programs, such as `outsideServiceArea`.
    public static func unsupported(reason: String = "unsupported", dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason), dialog: dialog)
    }

    /// Rejects the value for a typed reason and asks the person for another value.
    ///
    /// - Parameter dialog: The text for the person. Defaults to the dialog of the reason.
    public static func unsupported(reason: some UnsupportedReason, dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason.rawValue), dialog: dialog ?? reason.dialog)
    }
}

/// The reasons for which the value of a parameter can be rejected, as a type for each parameter: SiriKit's
/// `INSendPaymentCurrencyAmountUnsupportedReason` and the like.
///
/// ```swift
/// enum SendPaymentCurrencyAmountUnsupportedReason: String, UnsupportedReason {
///     case amountBelowMinimum, amountAboveMaximum, currencyUnsupported
/// }
/// return .unsupported(reason: SendPaymentCurrencyAmountUnsupportedReason.currencyUnsupported)
/// ```
/// In events, a reason is its raw value.
public protocol UnsupportedReason: RawRepresentable, Sendable where RawValue == String {
    /// The text for the person; with `nil`, the default, the coordinator uses its own text.
    var dialog: LocalizedText? { get }
}

extension UnsupportedReason {
    public var dialog: LocalizedText? { nil }
}
