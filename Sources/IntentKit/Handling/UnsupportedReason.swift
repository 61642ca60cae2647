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
