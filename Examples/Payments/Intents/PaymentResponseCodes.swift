public import IntentKit

/// The codes of SiriKit's payment family (`INSendPaymentIntentResponseCode`, `INRequestPaymentIntentResponseCode`).
extension ResponseCode {
    /// The person must prove their identity before money moves.
    public static let failureCredentialsUnverified: ResponseCode = "failureCredentialsUnverified"
    public static let failurePaymentsAmountBelowMinimum: ResponseCode = "failurePaymentsAmountBelowMinimum"
    public static let failurePaymentsAmountAboveMaximum: ResponseCode = "failurePaymentsAmountAboveMaximum"
    public static let failurePaymentsCurrencyUnsupported: ResponseCode = "failurePaymentsCurrencyUnsupported"
    /// The balance is less than the amount and its fee.
    public static let failureInsufficientFunds: ResponseCode = "failureInsufficientFunds"
    /// The person has no account to pay from or to be paid to.
    public static let failureNoBankAccount: ResponseCode = "failureNoBankAccount"
    /// The person may not use the service, for instance because of their age.
    public static let failureNotEligible: ResponseCode = "failureNotEligible"
    /// There are new terms that the person has to agree to first.
    public static let failureTermsAndConditionsAcceptanceRequired: ResponseCode =
        "failureTermsAndConditionsAcceptanceRequired"
}
