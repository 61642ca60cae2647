import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import Testing

@testable import SampleDomains

/// The payments domain with its own payees and bank.
private struct Payments: DomainFixture {
    /// A directory that records its searches.
    struct Payees: PayeeDirectory {
        let list = PayeeList.sample
        let names = Recorder<String>()

        func payees(named name: String) -> [Payee] {
            names.record(name)
            return list.payees(named: name)
        }
        func payee(withIdentifier identifier: String) -> Payee? { list.payee(withIdentifier: identifier) }
    }

    let payees = Payees()
    let bank: Bank
    let served: PaymentExtension

    /// - Parameter store: The store of another fixture, to continue from its state.
    init(tariff: PaymentTariff = .standard, store: SampleStore = SampleStore()) {
        bank = Bank(store, tariff: tariff)
        served = PaymentExtension(payees: payees, bank: bank)
    }

    /// The names that were searched for so far.
    var searches: [String] { payees.names.all }

    /// Pays an amount to Mia, or asks the bank whether it can be paid.
    func pay(
        _ amount: String, note: String? = nil, key: Identifier = "s/r", phase: Phase = .handle,
        attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        try await respond(phase, "SendPayment", Self.payment(amount, note: note), key: key, attributes: attributes)
    }

    static func payment(_ amount: String, note: String? = nil) -> [ParameterState] {
        [mia("payee"), .said("currencyAmount", amount)] + (note.map { [ParameterState.said("note", $0)] } ?? [])
    }

    static func mia(_ parameter: String) -> ParameterState {
        let mia = Person(displayName: "Mia Ekman", customIdentifier: "p-ekman")
        return ParameterState(name: parameter, value: JSON(mia), origin: .resolved)
    }

    func resolve(_ parameter: String, _ said: String, of intent: String = "SendPayment") async throws
        -> ParameterResolution
    { try await resolve(parameter, of: intent, [.said(parameter, said)]) }

    /// The minor units in the account in euros.
    var euros: Int { get throws { try bank.balance("EUR").minorUnits } }
}

private func euros(_ minorUnits: Int) -> CurrencyAmount { CurrencyAmount(minorUnits: minorUnits, currencyCode: "EUR") }

@Suite("Payments are resolved and quoted, and made once") struct PaymentTests {
    private let payments = Payments()

    @Test(arguments: [
        ("0.99 EUR", "paymentsAmountBelowMinimum"), ("-5 EUR", "paymentsAmountBelowMinimum"),
        ("$500.01", "paymentsAmountAboveMaximum"), ("1 EUR", nil), ("500 USD", nil), ("20 EUR", nil), ("$20", nil),
        ("20 euros", nil),
    ])
    func `an amount outside the limits is refused with a reason`(_ said: String, _ reason: String?) async throws {
        let resolution = try await payments.resolve("currencyAmount", said)
        #expect(resolution.reason == reason && (resolution.value == nil) == (reason != nil))
    }

    @Test(
        arguments: [
            ("Ben", "noAccount"), ("Lea", "credentialsUnverified"), ("Tom", "noValidHandle"), ("Zoe", "noMatch"),
        ], [("payee", "SendPayment"), ("payer", "RequestPayment")])
    func `a person who can't be paid, or asked for money, is refused with SiriKit's reason`(
        _ person: (name: String, reason: String), _ role: (parameter: String, intent: String)
    ) async throws {
        let resolution = try await payments.resolve(role.parameter, person.name, of: role.intent)
        #expect(resolution.reason == person.reason)
    }

    @Test func `without enough money for any payment a person can be asked, but not paid`() async throws {
        let dear = Payments(tariff: PaymentTariff([euros(200_000)...euros(300_000)], feeBasisPoints: 50))
        #expect(try await dear.resolve("payee", "Mia").reason == "insufficientFunds")
        #expect(try await dear.resolve("payer", "Mia", of: "RequestPayment").reason == nil)
    }

    @Test func `a favourite namesake is confirmed, and equal namesakes are searched for once`() async throws {
        #expect(try await payments.play("SendPayment", ["payee": "John"]).steps == ["prompt confirmValue payee"])
        let talk = try await payments.play("RequestPayment", ["payer": "Anna", "currencyAmount": "12 EUR"], "p-dunne")
        #expect(
            try talk.lines == [
                "offers payer: Anna Costa | Anna Dunne", "success success: Anna Dunne has been asked for €12.00.",
            ])
        #expect(payments.searches == ["John", "Anna"])
    }

    @Test(arguments: [(100, 1), (200, 1), (201, 2), (2_000, 10), (50_000, 250)])
    func `the fee is a half per cent, rounded up`(_ amount: Int, _ fee: Int) {
        #expect(PaymentTariff.standard.fee(for: euros(amount)) == euros(fee))
    }

    @Test func `confirm quotes the fee, valid for a minute`() async throws {
        let response = try await payments.pay("20 EUR", phase: .confirm)
        #expect(response.code == .ready && response.validFor == .seconds(60))
        #expect(response.values["feeAmount"] == JSON(euros(10)))
    }

    @Test func `the person pays the quoted fee, even in another process with another tariff`() async throws {
        let store = SampleStore()
        _ = try await Payments(store: store).pay("20 EUR", phase: .confirm)
        var dearer = PaymentTariff.standard
        dearer.feeBasisPoints = 500
        let payments = Payments(tariff: dearer, store: store)
        #expect(try await payments.pay("20 EUR").code == .success && payments.bank.entries().map(\.fee) == [10])
    }

    @Test func `a quote that has expired when the person agrees is made again`() async throws {
        var talk = try await payments.play("SendPayment", ["payee": "Mia", "currencyAmount": "20 EUR"])
        try await talk.pipeline.advance(by: .seconds(61))
        for _ in 1...2 { try await talk.answer("yes") }
        let quote = "confirms: €20.00 to Mia Ekman, and a fee of €0.10. Shall I pay?"
        #expect(try talk.lines == [quote, quote, "success success: Mia Ekman has got €20.00."])
    }

    @Test func `a payment that is handled twice under one key is made once, and so is a request`() async throws {
        for _ in 0..<2 { #expect(try await payments.pay("20 EUR", key: "1").code == .success) }
        #expect(try payments.euros == 97_990)
        let request = [Payments.mia("payer"), .said("currencyAmount", "5 EUR")]
        for _ in 0..<2 { #expect(try await payments.handle("RequestPayment", request, key: "2").code == .success) }
        #expect(try payments.bank.entries().map(\.isRequest) == [true, false] && payments.euros == 97_990)
    }

    @Test func `two keys that only look equal are two payments, each with its own quote`() async throws {
        let keys: [(Identifier, String)] = [
            ("K/\u{E9}", "20 EUR"), ("K/e\u{301}", "40 EUR"), ("\u{212A}/\u{E9}", "60 EUR"),
        ]
        for (phase, code) in [(Phase.confirm, ResponseCode.ready), (.handle, .success)] {
            for (key, amount) in keys { #expect(try await payments.pay(amount, key: key, phase: phase).code == code) }
        }
        #expect(try payments.bank.entries().map(\.fee) == [30, 20, 10])
    }

    @Test func `a payment beyond the balance fails at confirm and at handle`() async throws {
        for key: Identifier in ["1", "2"] { #expect(try await payments.pay("490 EUR", key: key).code == .success) }
        for phase in [Phase.confirm, .handle] {
            #expect(try await payments.pay("20 EUR", key: "3", phase: phase).code == .failureInsufficientFunds)
        }
        #expect(try payments.euros == 1_510)
    }

    @Test func `the note is stored, and part of the summary`() async throws {
        _ = try await payments.pay("20 EUR", note: "pizza")
        #expect(try payments.bank.entries().map(\.note) == ["pizza"])
        let confirmed = try await payments.registry().perform(
            .confirm, "SendPayment", Payments.payment("20 EUR", note: "pizza"))
        #expect(confirmed.confirmation?.summary == "Pay €20.00 to Mia Ekman for pizza")
    }

    @Test func `confirm can respond success, which means ready; only large requests are confirmed`() async throws {
        let request = [Payments.mia("payer"), .said("currencyAmount", "100 EUR")]
        #expect(try await payments.confirm("RequestPayment", request).code == .success)
        var talk = try await payments.play("RequestPayment", ["payer": "Mia", "currencyAmount": "100 EUR"], "yes")
        try await talk.request("RequestPayment", ["payer": "Mia", "currencyAmount": "99.99 EUR"])
        #expect(
            try talk.lines == [
                "confirms: Ask Mia Ekman for €100.00?", "success success: Mia Ekman has been asked for €100.00.",
                "success success: Mia Ekman has been asked for €99.99.",
            ])
    }

    @Test(
        arguments: [Phase.confirm, .handle],
        [
            ("none", ResponseCode.failureNoBankAccount), ("unverified", .failureCredentialsUnverified),
            ("notEligible", .failureNotEligible), ("termsOpen", .failureTermsAndConditionsAcceptanceRequired),
        ])
    func `a reason against any payment has SiriKit's code`(
        _ phase: Phase, _ account: (state: String, code: ResponseCode)
    ) async throws {
        let attributes = ["paymentAccount": JSON.string(account.state)]
        #expect(try await payments.pay("20 EUR", phase: phase, attributes: attributes).code == account.code)
        #expect(try payments.bank.entries().isEmpty)
    }

    @Test(
        arguments: [Phase.confirm, .handle],
        [
            ("20 CAD", ResponseCode.failurePaymentsCurrencyUnsupported),
            ("0.50 EUR", .failurePaymentsAmountBelowMinimum), ("501 EUR", .failurePaymentsAmountAboveMaximum),
            ("999999999999999 KWD", .failurePaymentsCurrencyUnsupported),
            ("999999999999999 EUR", .failurePaymentsAmountAboveMaximum),
        ])
    func `an amount that can't be paid is refused in every phase`(
        _ phase: Phase, _ payment: (amount: String, code: ResponseCode)
    ) async throws {
        #expect(try await payments.pay(payment.amount, phase: phase).code == payment.code)
        #expect(try payments.bank.entries().isEmpty)
    }
}

@Suite("CAD where only EUR and USD are served") struct CADTests {
    private let payments = Payments()
    private let reason = "CAD can't be paid: there are only accounts in EUR and USD. How much should it be?"

    @Test(arguments: ["SendPayment", "RequestPayment"])
    func `CAD is unsupported, and the person is told why`(_ intent: String) async throws {
        #expect(
            try await payments.resolve("currencyAmount", "20 CAD", of: intent)
                == .unsupported(reason: "paymentsCurrencyUnsupported", dialog: "20.00 \(reason)"))
    }

    @Test func `a whole conversation: the person is told why and asked again; only EUR reaches confirm`() async throws {
        let said: KeyValuePairs = ["payee": "Mia", "currencyAmount": "20 CAD"]
        let talk = try await payments.play("SendPayment", said, "25 CAD", "20 EUR", "yes")
        #expect(
            try talk.lines == [
                "asks currencyAmount: 20.00 \(reason)", "asks currencyAmount: 25.00 \(reason)",
                "confirms: €20.00 to Mia Ekman, and a fee of €0.10. Shall I pay?",
                "success success: Mia Ekman has got €20.00.",
            ])
        let resolved = try talk.work(.resolve).map { $0["currencyAmount"]?.view.string }
        #expect(resolved == ["20 CAD", "25 CAD", "20 EUR"])
        for phase in [Phase.confirm, .handle] {
            let work = try talk.work(phase)
            #expect(work.map { $0["currencyAmount"]?.view["currencyCode"]?.string } == ["EUR"])
            #expect(!work.contains { $0.values.contains { $0.description.contains("CAD") } })
        }
        #expect(try payments.searches == ["Mia"] && payments.bank.balance("EUR") == euros(97_990))
    }
}

@Suite("A balance is told only to a person who has signed in") struct SignInTests {
    private let payments = Payments()

    @Test func `the request waits for the sign-in and continues with its values`() async throws {
        var talk = try await payments.play("SearchForAccounts", ["currency": "USD"])
        let url = try talk.prompt?.data["signIn"]?["url"]?.string
        #expect(try talk.prompt?.promptKind == .signIn && url == "https://bank.example/sign-in")
        try await talk.answer("yes")
        #expect(try talk.last?.type == .rejected, "the answer names no person")
        talk.principal = Principal(.appUser, "ann")
        try await talk.answer("yes")
        #expect(try talk.lines.last == "success success: You have $1000.00.")
        let done = try talk.last?.data
        #expect(done?["supporting"]?.string == "Your balances")
        #expect(done?["snippet"]?["lines"]?.elements.map { $0["text"]?.string } == ["$1000.00"])
    }

    @Test func `a person who does not sign in is offered the app, or the request fails`() async throws {
        #expect(
            try await payments.play("SearchForAccounts", [:], "no").lines == [
                "signs in: Sign in to Example Bank.", "offer foreground", "failure failureRequiringInAppAuthentication",
            ])
    }

    @Test func `a person who has already signed in is not asked`() async throws {
        var talk = try await payments.conversation()
        talk.principal = Principal(.user, "ann")
        try await talk.request("SearchForAccounts")
        #expect(try talk.lines == ["success success: You have €1000.00 and $1000.00."])
    }
}
