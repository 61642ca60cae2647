import IntentKit

struct RequestPaymentHandler: IntentHandling {
    let payees: any PayeeDirectory
    let bank: Bank

    var resolution: some Resolution<RequestPayment> {
        Resolve(\.$payer) { payer, _ in
            try await payees.resolve(payer, RequestPaymentPayerUnsupportedReason.self)
        }
        Resolve(\.$currencyAmount) { amount, _ in
            bank.tariff.resolve(amount, RequestPaymentCurrencyAmountUnsupportedReason.self)
        }
    }

    /// Responds `success`, as SiriKit's own payment sample does: at confirm, `success` means `ready`.
    func confirm(_ request: RequestPayment, context: Context) async throws -> ConfirmResponse {
        try context.checkAccount()
        try bank.tariff.check(request.currencyAmount)
        return .success(dialog: "Ask \(request.payer.displayName) for \(request.currencyAmount)?")
    }

    func handle(_ request: RequestPayment, context: Context) async throws -> HandleResponse {
        let (amount, payer) = (request.currencyAmount, request.payer)
        try context.checkAccount()
        try bank.tariff.check(amount)
        try bank.request(
            amount, from: payer.customIdentifier ?? payer.displayName, note: request.note, key: context.idempotencyKey)
        return .success(
            dialog: "\(payer.displayName) has been asked for \(amount).",
            values: ["status": "pending", "currencyAmount": amount])
    }
}
