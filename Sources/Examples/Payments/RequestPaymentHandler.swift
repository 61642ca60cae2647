import IntentKit

struct RequestPaymentHandler: IntentHandling {
    @Dependency var payees: any PayeeDirectory
    @Dependency var bank: Bank

    var resolution: some Resolution<RequestPayment> {
        Resolve(\.$payer) { payer, _ in
            try await payees.resolve(payer, RequestPaymentPayerUnsupportedReason.self)
        }
        Resolve(\.$currencyAmount) { amount, _ in
            bank.tariff.resolve(amount, RequestPaymentCurrencyAmountUnsupportedReason.self)
        }
    }

    /// Responds `success`, as SiriKit's own payment sample does: at confirm it means `ready`.
    func confirm(_ request: RequestPayment, context: Context) async throws -> IntentResponse {
        if let refusal = context.obstacle ?? bank.tariff.refusal(of: request.currencyAmount) { return refusal }
        return .success(dialog: "Ask \(request.payer.displayName) for \(request.currencyAmount.displayText)?")
    }

    func handle(_ request: RequestPayment, context: Context) async throws -> IntentResponse {
        let (amount, payer) = (request.currencyAmount, request.payer)
        if let refusal = context.obstacle ?? bank.tariff.refusal(of: amount) { return refusal }
        try bank.request(amount, from: payer.customIdentifier ?? payer.displayName, note: request.note, key: context.idempotencyKey)
        return .success(
            dialog: "\(payer.displayName) has been asked for \(amount.displayText).",
            values: ["status": "pending", "currencyAmount": amount])
    }
}
