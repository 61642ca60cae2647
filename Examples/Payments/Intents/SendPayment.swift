public import IntentKit

/// Pays a person (SiriKit: `INSendPaymentIntent`).
public struct SendPayment: Intent {
    public static let title: LocalizedText = "Send a payment"
    public static let confirmation: ConfirmationPolicy = .always
    public static let confirmationActionName = ConfirmationActionName.pay

    @Parameter(title: "Payee", requestValueDialog: "Who should get the money?")
    public var payee: Person

    @Parameter(title: "Amount", requestValueDialog: "How much should it be?")
    public var currencyAmount: CurrencyAmount

    @Parameter(title: "Note", requestValueDialog: "What is it for?")
    public var note: String?

    public static let parameters = Parameters<Self>(\.$payee, \.$currencyAmount, \.$note)

    public static var parameterSummary: some ParameterSummary {
        When(\.$note, .hasAnyValue) {
            Summary("Pay \(\.$currencyAmount) to \(\.$payee) for \(\.$note)")
        } otherwise: {
            Summary("Pay \(\.$currencyAmount) to \(\.$payee)")
        }
    }

    public init() {}
}
