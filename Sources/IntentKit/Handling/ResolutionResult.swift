/// What a ``Resolve`` answers: one of SiriKit's six resolution results (`INIntentResolutionResult`).
///
/// `success` and `notRequired` go on; everything else costs the person a turn. Wherever there is a `dialog`, the coordinator words one if
/// you don't.
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
    private let spoken: String?
    private let localized: LocalizedText?

    private init(_ kind: Kind, dialog: String? = nil, localized: LocalizedText? = nil) {
        self.kind = kind
        spoken = dialog
        self.localized = localized
    }

    package func dialog(in locale: String?) -> String? { spoken ?? localized?.text(in: locale) }

    /// Go on with this value, which may say more than the one that came: add identifiers and coordinates, they survive until handle.
    public static func success(_ value: Value) -> Self { Self(.success(value)) }

    /// Go on without it, whether the person said something or not. Only for optional parameters, and those with a default.
    public static func notRequired() -> Self { Self(.notRequired) }

    /// Ask for it. Without a dialog the parameter's prompt is used.
    public static func needsValue(_ dialog: String? = nil) -> Self { Self(.needsValue, dialog: dialog) }

    /// One of these must be meant; more than about five are too many to choose from. A single one is asked about with yes or no, and none is
    /// `unsupported` with reason `noMatch`. A value that the person has chosen before is not asked about again.
    public static func disambiguation(_ values: [Value], dialog: String? = nil) -> Self { Self(.disambiguation(values), dialog: dialog) }

    /// Is this what is meant? A value to which the person has said yes before is not asked about again.
    public static func confirmationRequired(_ value: Value, dialog: String? = nil) -> Self {
        Self(.confirmationRequired(value), dialog: dialog)
    }

    /// It can't be used; the person is told why and asked for another.
    ///
    /// - Parameter reason: A word for programs, such as `outsideServiceArea`.
    public static func unsupported(reason: String = "unsupported", dialog: String? = nil) -> Self {
        Self(.unsupported(reason: reason), dialog: dialog)
    }
    /// It can't be used, for a reason with a type of its own; the person is told why and asked for another.
    ///
    /// - Parameter dialog: Unless given, the reason's own.
    public static func unsupported(reason: some UnsupportedReason, dialog: LocalizedText? = nil) -> Self {
        Self(.unsupported(reason: reason.rawValue), localized: dialog ?? reason.dialog)
    }
}

/// Why a parameter's value can't be used, as a type of its own for each parameter: SiriKit's `INSendPaymentCurrencyAmountUnsupportedReason`
/// and its like.
///
/// ```swift
/// enum SendPaymentCurrencyAmountUnsupportedReason: String, UnsupportedReason {
///     case amountBelowMinimum, amountAboveMaximum, currencyUnsupported
/// }
/// return .unsupported(reason: SendPaymentCurrencyAmountUnsupportedReason.currencyUnsupported)
/// ```
/// In events it is its raw value.
public protocol UnsupportedReason: RawRepresentable, Sendable where RawValue == String {
    /// What the person is told; `nil` leaves it to the coordinator. Unless you write it, `nil`.
    var dialog: LocalizedText? { get }
}

extension UnsupportedReason {
    public var dialog: LocalizedText? { nil }
}
