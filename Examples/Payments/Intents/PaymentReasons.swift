import IntentKit

// SiriKit has separate reasons for sending and for requesting payments, most of them with the same names. The protocols
// declare the common ones.

/// A reason why an amount can't be paid or requested.
protocol CurrencyAmountUnsupportedReason: UnsupportedReason {
    static var paymentsAmountBelowMinimum: Self { get }
    static var paymentsAmountAboveMaximum: Self { get }
    static var paymentsCurrencyUnsupported: Self { get }
}

/// A reason why a payee can't be paid, or a payer can't be asked.
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
