import IntentKit

// SiriKit has reasons for paying and for asking apart, though most of the words are the same. The protocols say what is the same.

/// Why a sum can't be paid or asked for.
protocol CurrencyAmountUnsupportedReason: UnsupportedReason {
    static var paymentsAmountBelowMinimum: Self { get }
    static var paymentsAmountAboveMaximum: Self { get }
    static var paymentsCurrencyUnsupported: Self { get }
}

/// Why nobody can be paid by, or asked by, the person in this way.
protocol CounterpartyUnsupportedReason: UnsupportedReason {
    static var credentialsUnverified: Self { get }
    static var noAccount: Self { get }
    static var noValidHandle: Self { get }
}

/// SiriKit: `INSendPaymentCurrencyAmountUnsupportedReason`.
enum SendPaymentCurrencyAmountUnsupportedReason: String, CurrencyAmountUnsupportedReason {
    case paymentsAmountBelowMinimum, paymentsAmountAboveMaximum, paymentsCurrencyUnsupported
}

/// SiriKit: `INRequestPaymentCurrencyAmountUnsupportedReason`.
enum RequestPaymentCurrencyAmountUnsupportedReason: String, CurrencyAmountUnsupportedReason {
    case paymentsAmountBelowMinimum, paymentsAmountAboveMaximum, paymentsCurrencyUnsupported
}

/// SiriKit: `INSendPaymentPayeeUnsupportedReason`.
enum SendPaymentPayeeUnsupportedReason: String, CounterpartyUnsupportedReason {
    case credentialsUnverified, insufficientFunds, noAccount, noValidHandle
}

/// SiriKit: `INRequestPaymentPayerUnsupportedReason`.
enum RequestPaymentPayerUnsupportedReason: String, CounterpartyUnsupportedReason {
    case credentialsUnverified, noAccount, noValidHandle
}
