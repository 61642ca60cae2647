import IntentKit

struct SendPaymentHandler: IntentHandling {
    let payees: any PayeeDirectory
    let bank: Bank

    var resolution: some Resolution<SendPayment> {
        Resolve(\.$payee) { payee, _ in
            if try !bank.canPayAnything() {
                let dialog: LocalizedText = "There is too little in your account to pay anybody."
                return .unsupported(reason: SendPaymentPayeeUnsupportedReason.insufficientFunds, dialog: dialog)
            }
            return try await payees.resolve(payee, SendPaymentPayeeUnsupportedReason.self)
        }
        Resolve(\.$currencyAmount) { amount, _ in
            bank.tariff.resolve(amount, SendPaymentCurrencyAmountUnsupportedReason.self)
        }
    }

    /// Quotes the fee. The quote is valid for a minute. A person who accepts after that gets a new quote.
    func confirm(_ payment: SendPayment, context: Context) async throws -> ConfirmResponse {
        let amount = payment.currencyAmount
        try context.checkAccount()
        try bank.tariff.check(amount)
        let fee = try bank.quote(for: amount, key: context.idempotencyKey)
        let balance = try bank.balance(amount.currencyCode)
        if balance.minorUnits < amount.minorUnits + fee.minorUnits { return tooLittle(balance) }
        return .ready(
            dialog: "\(amount) to \(payment.payee.displayName), and a fee of \(fee). Shall I pay?",
            values: ["feeAmount": fee],
            validFor: .seconds(60))
    }

    func handle(_ payment: SendPayment, context: Context) async throws -> HandleResponse {
        let (amount, payee) = (payment.currencyAmount, payment.payee)
        try context.checkAccount()
        try bank.tariff.check(amount)
        let fee = try bank.quoted(for: amount, key: context.idempotencyKey)
        let isPaid = try bank.pay(
            amount, fee: fee, to: payee.customIdentifier ?? payee.displayName, note: payment.note,
            key: context.idempotencyKey)
        guard isPaid else { return tooLittle(try bank.balance(amount.currencyCode)) }
        return .success(
            dialog: "\(payee.displayName) has got \(amount).",
            values: ["status": "completed", "currencyAmount": amount, "feeAmount": fee])
    }

    private func tooLittle<Phase>(_ balance: CurrencyAmount) -> PhaseResponse<Phase> {
        .failure(.failureInsufficientFunds, dialog: "There are only \(balance) in your account.")
    }
}
