import IntentKit
import PipelineTestKit
import SampleDomains
import Testing

@Suite("CAD where only EUR and USD are served")
struct CADTests {
    @Test("CAD is unsupported, and the person is told why")
    func unsupported() async throws {
        for intent in ["SendPayment", "RequestPayment"] {
            let amount = try await PaymentsFixture().registry.resolve(
                "currencyAmount", of: intent, [.said("currencyAmount", "20 CAD")])
            let dialog = "20.00 CAD can't be paid: there are only accounts in EUR and USD. How much should it be?"
            #expect(amount.resolution == .unsupported(reason: "paymentsCurrencyUnsupported", dialog: dialog))
        }
    }

    @Test("EUR and USD are served")
    func supported() async throws {
        for said in ["20 EUR", "$20", "20 euros"] {
            let amount = try await PaymentsFixture().registry.resolve(
                "currencyAmount", of: "SendPayment", [.said("currencyAmount", said)])
            guard case .success = amount.resolution else {
                Issue.record("\(said): \(amount.resolution)")
                continue
            }
        }
    }

    @Test("a whole conversation: the person is told why and asked again; only EUR reaches confirm")
    func conversation() async throws {
        let payments = try PaymentsFixture()
        var talk = try await payments.conversation()
        try await talk.request("SendPayment", ["payee": "Mia", "currencyAmount": "20 CAD"])
        try await talk.say("25 CAD")
        try await talk.say("20 EUR")
        try await talk.say("yes")
        let lines = try talk.lines
        #expect(
            lines == [
                "asks currencyAmount: 20.00 CAD can't be paid: there are only accounts in EUR and USD. How much should it be?",
                "asks currencyAmount: 25.00 CAD can't be paid: there are only accounts in EUR and USD. How much should it be?",
                "confirms: €20.00 to Mia Ekman, and a fee of €0.10. Shall I pay?",
                "success success: Mia Ekman has got €20.00.",
            ])
        let resolved = try talk.work(.resolve).map { $0["currencyAmount"]?.view.string }
        #expect(resolved == ["20 CAD", "25 CAD", "20 EUR"])
        for phase in [Phase.confirm, .handle] {
            let work = try talk.work(phase)
            #expect(work.count == 1)
            #expect(work.map { $0["currencyAmount"]?.view["currencyCode"]?.string } == ["EUR"])
            #expect(!work.contains { $0.values.contains { $0.description.contains("CAD") } })
        }
        #expect(payments.payees.searches == ["Mia"])
        #expect(try payments.bank.balance("EUR") == CurrencyAmount(minorUnits: 97_990, currencyCode: "EUR"))
    }
}
