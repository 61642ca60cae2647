import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

@Suite("Payments are resolved and quoted, and made once")
struct PaymentTests {
    private let mia = ParameterState(
        name: "payee", value: JSON(Person(displayName: "Mia Ekman", customIdentifier: "p-ekman")), origin: .resolved)

    private func payment(_ amount: String) -> [ParameterState] { [mia, .said("currencyAmount", amount)] }

    @Test(
        "an amount outside the limits is refused with SiriKit's reason",
        arguments: [
            ("0.99 EUR", "paymentsAmountBelowMinimum"), ("-5 EUR", "paymentsAmountBelowMinimum"),
            ("$500.01", "paymentsAmountAboveMaximum"),
        ])
    func limits(_ said: String, _ reason: String) async throws {
        #expect(
            try await PaymentsFixture().registry.resolve(
                "currencyAmount", of: "SendPayment", [.said("currencyAmount", said)]
            ).resolution
                .reason == reason)
    }

    @Test("amounts at the limits can be paid")
    func atTheLimits() async throws {
        for said in ["1 EUR", "500 USD"] {
            #expect(
                try await PaymentsFixture().registry.resolve(
                    "currencyAmount", of: "SendPayment", [.said("currencyAmount", said)]
                )
                .resolution.reason == nil)
        }
    }

    @Test(
        "a person who can't be paid, or asked for money, is refused with SiriKit's reason",
        arguments: [
            ("Ben", "noAccount"), ("Lea", "credentialsUnverified"), ("Tom", "noValidHandle"), ("Zoe", "noMatch"),
        ])
    func people(_ name: String, _ reason: String) async throws {
        #expect(
            try await PaymentsFixture().registry.resolve("payee", of: "SendPayment", [.said("payee", name)]).resolution
                .reason == reason)
        #expect(
            try await PaymentsFixture().registry.resolve("payer", of: "RequestPayment", [.said("payer", name)])
                .resolution.reason == reason)
    }

    @Test("without enough money for any payment no person can be paid, but every person can be asked")
    func poor() async throws {
        let dear = PaymentTariff(
            [
                CurrencyAmount(
                    minorUnits: 200_000, currencyCode: "EUR")...CurrencyAmount(minorUnits: 300_000, currencyCode: "EUR")
            ],
            feeBasisPoints: 50)
        let payments = try PaymentsFixture(tariff: dear)
        #expect(
            try await payments.registry.resolve("payee", of: "SendPayment", [.said("payee", "Mia")]).resolution.reason
                == "insufficientFunds")
        #expect(
            try await payments.registry.resolve("payer", of: "RequestPayment", [.said("payer", "Mia")]).resolution
                .reason == nil)
    }

    @Test("of two Johns the favourite is confirmed; of two Annas one is chosen and not searched for again")
    func namesakes() async throws {
        let payments = try PaymentsFixture()
        guard
            case .confirmationRequired = try await payments.registry.resolve(
                "payee", of: "SendPayment", [.said("payee", "John")]
            )
            .resolution
        else {
            Issue.record("not asked about")
            return
        }
        var talk = try await payments.conversation()
        try await talk.request("RequestPayment", ["payer": "Anna", "currencyAmount": "12 EUR"])
        try await talk.say("p-dunne")
        let lines = try talk.lines
        #expect(
            lines == [
                "offers payer: Anna Costa | Anna Dunne", "success success: Anna Dunne has been asked for €12.00.",
            ])
        #expect(payments.payees.searches == ["John", "Anna"])
    }

    @Test("the fee is a half per cent, rounded up")
    func fee() {
        for (amount, fee) in [(100, 1), (200, 1), (201, 2), (2_000, 10), (50_000, 250)] {
            let sum = CurrencyAmount(minorUnits: amount, currencyCode: "EUR")
            #expect(PaymentTariff.standard.fee(for: sum) == CurrencyAmount(minorUnits: fee, currencyCode: "EUR"))
        }
    }

    @Test("confirm quotes the fee, valid for a minute")
    func quote() async throws {
        let response = try await PaymentsFixture().registry.respond(.confirm, "SendPayment", payment("20 EUR"))
        #expect(response.code == .ready && response.validFor == .seconds(60))
        #expect(response.values["feeAmount"] == JSON(CurrencyAmount(minorUnits: 10, currencyCode: "EUR")))
    }

    @Test("the person pays the quoted fee, even if another process pays and the tariff has changed")
    func quotedFee() async throws {
        let store = SampleStore()
        _ = try await PaymentsFixture(store: store).registry.respond(.confirm, "SendPayment", payment("20 EUR"))
        var dearer = PaymentTariff.standard
        dearer.feeBasisPoints = 500
        let payments = try PaymentsFixture(tariff: dearer, store: store)
        #expect(try await payments.registry.respond(.handle, "SendPayment", payment("20 EUR")).code == .success)
        #expect(try payments.bank.entries().map(\.fee) == [10])
    }

    @Test("a quote that has expired when the person agrees is made again")
    func oldQuote() async throws {
        var talk = try await PaymentsFixture().conversation()
        try await talk.request("SendPayment", ["payee": "Mia", "currencyAmount": "20 EUR"])
        try await talk.pipeline.advance(by: .seconds(61))
        try await talk.say("yes")
        try await talk.say("yes")
        let lines = try talk.lines
        let quote = "confirms: €20.00 to Mia Ekman, and a fee of €0.10. Shall I pay?"
        #expect(lines == [quote, quote, "success success: Mia Ekman has got €20.00."])
    }

    @Test("a payment that is handled twice under one key is made once, and so is a request")
    func once() async throws {
        let payments = try PaymentsFixture()
        for _ in 0..<2 {
            #expect(
                try await payments.registry.respond(.handle, "SendPayment", payment("20 EUR"), idempotencyKey: "1").code
                    == .success)
        }
        #expect(try payments.bank.balance("EUR").minorUnits == 97_990)
        let request = [
            ParameterState(name: "payer", value: mia.value, origin: .resolved), .said("currencyAmount", "5 EUR"),
        ]
        for _ in 0..<2 {
            #expect(
                try await payments.registry.respond(.handle, "RequestPayment", request, idempotencyKey: "2").code
                    == .success)
        }
        #expect(try payments.bank.entries().map(\.isRequest) == [true, false])
        #expect(try payments.bank.balance("EUR").minorUnits == 97_990)
    }

    @Test("two keys that only look equal are two payments, each with its own quote")
    func lookalikes() async throws {
        let payments = try PaymentsFixture()
        let keys: [Identifier] = ["K/\u{E9}", "K/e\u{301}", "\u{212A}/\u{E9}"]
        for (index, key) in keys.enumerated() {
            let amount = payment("\(20 * (index + 1)) EUR")
            #expect(
                try await payments.registry.respond(.confirm, "SendPayment", amount, idempotencyKey: key).code == .ready
            )
        }
        for (index, key) in keys.enumerated() {
            let amount = payment("\(20 * (index + 1)) EUR")
            #expect(
                try await payments.registry.respond(.handle, "SendPayment", amount, idempotencyKey: key).code
                    == .success)
        }
        #expect(try payments.bank.entries().map(\.fee) == [30, 20, 10])
    }

    @Test("a payment beyond the balance fails at confirm and at handle")
    func insufficientFunds() async throws {
        let payments = try PaymentsFixture()
        for key in ["1", "2"] {
            let code = try await payments.registry.respond(
                .handle, "SendPayment", payment("490 EUR"), idempotencyKey: Identifier(key)
            ).code
            #expect(code == .success)
        }
        #expect(
            try await payments.registry.respond(.confirm, "SendPayment", payment("20 EUR")).code
                == .failureInsufficientFunds)
        #expect(
            try await payments.registry.respond(.handle, "SendPayment", payment("20 EUR"), idempotencyKey: "3").code
                == .failureInsufficientFunds)
        #expect(try payments.bank.balance("EUR").minorUnits == 1_510)
    }

    @Test("the note is stored, and part of the summary")
    func note() async throws {
        let payments = try PaymentsFixture()
        _ = try await payments.registry.respond(.handle, "SendPayment", payment("20 EUR") + [.said("note", "pizza")])
        #expect(try payments.bank.entries().map(\.note) == ["pizza"])
        let outcome = await payments.registry.perform(
            .confirm, "SendPayment", payment("20 EUR") + [.said("note", "pizza")])
        #expect(outcome.confirmation?.summary == "Pay €20.00 to Mia Ekman for pizza")
    }

    @Test("confirm can respond success, which means ready; only large requests are confirmed")
    func success() async throws {
        let payments = try PaymentsFixture()
        let request = [
            ParameterState(name: "payer", value: mia.value, origin: .resolved), .said("currencyAmount", "100 EUR"),
        ]
        #expect(try await payments.registry.respond(.confirm, "RequestPayment", request).code == .success)
        var talk = try await payments.conversation()
        try await talk.request("RequestPayment", ["payer": "Mia", "currencyAmount": "100 EUR"])
        try await talk.say("yes")
        try await talk.request("RequestPayment", ["payer": "Mia", "currencyAmount": "99.99 EUR"])
        let lines = try talk.lines
        #expect(
            lines == [
                "confirms: Ask Mia Ekman for €100.00?", "success success: Mia Ekman has been asked for €100.00.",
                "success success: Mia Ekman has been asked for €99.99.",
            ])
    }

    @Test(
        "a reason against any payment has SiriKit's code",
        arguments: [
            ("none", ResponseCode.failureNoBankAccount), ("unverified", .failureCredentialsUnverified),
            ("notEligible", .failureNotEligible),
            ("termsOpen", .failureTermsAndConditionsAcceptanceRequired),
        ])
    func obstacles(_ account: String, _ code: ResponseCode) async throws {
        let payments = try PaymentsFixture()
        for phase in [Phase.confirm, .handle] {
            let response = try await payments.registry.respond(
                phase, "SendPayment", payment("20 EUR"), attributes: ["paymentAccount": .string(account)])
            #expect(response.code == code)
        }
        #expect(try payments.bank.entries().isEmpty)
    }

    @Test(
        "an amount that can't be paid is refused in every phase",
        arguments: [
            ("20 CAD", ResponseCode.failurePaymentsCurrencyUnsupported),
            ("0.50 EUR", .failurePaymentsAmountBelowMinimum),
            ("501 EUR", .failurePaymentsAmountAboveMaximum),
            ("999999999999999 KWD", .failurePaymentsCurrencyUnsupported),
            ("999999999999999 EUR", .failurePaymentsAmountAboveMaximum),
        ])
    func refused(_ amount: String, _ code: ResponseCode) async throws {
        let payments = try PaymentsFixture()
        for phase in [Phase.confirm, .handle] {
            #expect(try await payments.registry.respond(phase, "SendPayment", payment(amount)).code == code)
        }
        #expect(try payments.bank.entries().isEmpty)
    }
}
