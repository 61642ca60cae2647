/// The result of a ``Resolve``: one of SiriKit's six resolution results (`INIntentResolutionResult`).
///
/// `success` and `notRequired` continue; every other result asks the person. If you leave a `dialog` out, the coordinator uses a text of its own.
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

    /// What the person reads beside the options, where the dialog says everything aloud: App Intents' `IntentDialog(full:supporting:)`.
    public func supporting(_ text: LocalizedText) -> Self {
        var result = self
        result.supporting = text
        return result
    }

    /// Continue with this value, which may have more detail than the given one: add identifiers and coordinates, they are kept until handle.
    public static func success(_ value: Value) -> Self { Self(.success(value)) }

    /// Continue without a value, even if one was given. Only for optional parameters, and those with a default.
    public static func notRequired() -> Self { Self(.notRequired) }

    /// Ask for a value. The dialog defaults to the parameter's prompt.
    public static func needsValue(_ dialog: LocalizedText? = nil) -> Self { Self(.needsValue, dialog: dialog) }

    /// Ask which of these is meant. A single value is asked about with yes or no, and no value is
    /// `unsupported` with the reason `noMatch`. A value that the person has already chosen is not asked about again.
    public static func disambiguation(_ values: [Value], dialog: LocalizedText? = nil) -> Self {
        Self(.disambiguation(values), dialog: dialog)
    }

    /// Ask whether this value is meant. A value that the person has already confirmed is not asked about again.
    public static func confirmationRequired(_ value: Value, dialog: LocalizedText? = nil) -> Self {
        Self(.confirmationRequired(value), dialog: dialog)
    }

    /// The value can't be used; the person is told why and asked for another.
    ///
    /// - Parameter reason: A reason for programs, such as `outsideServiceArea`.
    public static func unsupported(reason: String = "unsupported", dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason), dialog: dialog)
    }

    /// The value can't be used, for a reason with its own type; the person is told why and asked for another.
    ///
    /// - Parameter dialog: Defaults to the reason's own.
    public static func unsupported(reason: some UnsupportedReason, dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason.rawValue), dialog: dialog ?? reason.dialog)
    }
}

/// The reasons why a parameter's value can't be used, as a type for each parameter: SiriKit's `INSendPaymentCurrencyAmountUnsupportedReason` and the
/// like.
///
/// ```swift
/// enum SendPaymentCurrencyAmountUnsupportedReason: String, UnsupportedReason {
///     case amountBelowMinimum, amountAboveMaximum, currencyUnsupported
/// }
/// return .unsupported(reason: SendPaymentCurrencyAmountUnsupportedReason.currencyUnsupported)
/// ```
/// In events, a reason is its raw value.
public protocol UnsupportedReason: RawRepresentable, Sendable where RawValue == String {
    /// What the person is told; `nil`, the default, leaves it to the coordinator.
    var dialog: LocalizedText? { get }
}

extension UnsupportedReason {
    public var dialog: LocalizedText? { nil }
}
