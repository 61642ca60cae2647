public import IntentKit

/// The payments domain for a worker: `IntentRegistry([PaymentExtension()])`.
public struct PaymentExtension: IntentExtension {
    private let payees: any PayeeDirectory
    private let bank: Bank

    public init(payees: any PayeeDirectory = PayeeList.sample, bank: Bank = Bank(SampleStore.shared())) {
        self.payees = payees
        self.bank = bank
    }

    public var handlers: [any IntentHandling] {
        SendPaymentHandler(payees: payees, bank: bank)
        RequestPaymentHandler(payees: payees, bank: bank)
        SearchForAccountsHandler(bank: bank)
    }
}
