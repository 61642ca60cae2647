public import IntentKit

/// Asks a person for money (SiriKit: `INRequestPaymentIntent`).
public struct RequestPayment: Intent {
    public static let title: LocalizedText = "Request a payment"
    /// Small amounts, below 100, need no confirmation.
    public static let confirmation: ConfirmationPolicy = .onlyIf { request in
        request.currencyAmount.minorUnits >= 10_000
    }
    public static let confirmationActionName = ConfirmationActionName.request

    @Parameter(title: "Payer", requestValueDialog: "Who should pay?")
    public var payer: Person

    @Parameter(title: "Amount", requestValueDialog: "How much should it be?")
    public var currencyAmount: CurrencyAmount

    @Parameter(title: "Note", requestValueDialog: "What is it for?")
    public var note: String?

    public static let parameters = Parameters<Self>(\.$payer, \.$currencyAmount, \.$note)

    public static var parameterSummary: some ParameterSummary {
        When(\.$note, .hasAnyValue) {
            Summary("Ask \(\.$payer) for \(\.$currencyAmount) for \(\.$note)")
        } otherwise: {
            Summary("Ask \(\.$payer) for \(\.$currencyAmount)")
        }
    }

    public init() {}
}
