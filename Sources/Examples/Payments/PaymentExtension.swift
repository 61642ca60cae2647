public import IntentKit
import SampleData

/// The payments domain for a worker: `IntentRegistry([PaymentExtension()])`.
public struct PaymentExtension: IntentExtension {
    public let intents: [any Intent.Type] = [SendPayment.self, RequestPayment.self, SearchForAccounts.self]

    public init() {}

    public func handler(for intent: any Intent) -> (any IntentHandler)? {
        switch intent {
        case is SendPayment: SendPaymentHandler()
        case is RequestPayment: RequestPaymentHandler()
        case is SearchForAccounts: SearchForAccountsHandler()
        default: nil
        }
    }

    public func provideDependencies(to manager: AppDependencyManager) {
        manager.add(PayeeList.sample as any PayeeDirectory)
        manager.add(Bank(SampleStore.shared()))
    }
}
