import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains

/// A directory that counts its searches.
final class CountingPayees: PayeeDirectory {
    private let list: PayeeList
    private let names = Recorder<String>()

    init(_ list: PayeeList) { self.list = list }

    var searches: [String] { names.all }

    func payees(named name: String) -> [Payee] {
        names.record(name)
        return list.payees(named: name)
    }
    func payee(withIdentifier identifier: String) -> Payee? { list.payee(withIdentifier: identifier) }
}

/// The payments domain with its own payees and bank for each test.
struct PaymentsFixture {
    let payees: CountingPayees
    let bank: Bank
    let served: PaymentExtension
    let registry: IntentRegistry

    /// Creates the domain.
    ///
    /// - Parameter store: The store of another fixture, to continue from its state.
    init(_ list: PayeeList = .sample, tariff: PaymentTariff = .standard, store: SampleStore = SampleStore()) throws {
        let (payees, bank) = (CountingPayees(list), Bank(store, tariff: tariff))
        (self.payees, self.bank) = (payees, bank)
        served = PaymentExtension(payees: payees, bank: bank)
        registry = try IntentRegistry([served], dependencies: AppDependencyManager())
    }

    /// A conversation with a pipeline that serves the domain.
    func conversation() async throws -> TestConversation {
        try await TestConversation(with: [served])
    }
}
