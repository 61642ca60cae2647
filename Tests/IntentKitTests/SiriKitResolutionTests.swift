import IntentKit
import PipelineTestKit
import Testing

// The examples of SiriKit's own article on resolving parameters.

private enum CurrencyAmountUnsupportedReason: String, UnsupportedReason {
    case amountAboveMaximum, currencyUnsupported

    var dialog: LocalizedText? {
        self == .currencyUnsupported
            ? LocalizedText("Euros or dollars, please.", translations: ["nl": "Euro's of dollars, graag."]) : nil
    }
}

private struct Pay: Intent {
    static let title: LocalizedText = "Pay"
    @Parameter(title: "Payee", requestValueDialog: "Whom?") var payee: Person
    @Parameter(title: "Amount", requestValueDialog: "How much?") var amount: CurrencyAmount
    static let parameters = Parameters<Self>(\.$payee, \.$amount)
}

private struct PayHandler: IntentHandling {
    var contacts: [Person]
    var favorites: Set<String> = []
    var tally = Recorder<String>()

    var resolution: some Resolution<Pay> {
        Resolve(\.$payee) { payee, _ in
            guard let payee else { return .needsValue() }
            if let id = payee.customIdentifier, let known = contacts.first(where: { $0.customIdentifier == id }) {
                return .success(known)
            }
            tally.record("search \(payee.displayName)")
            let found = contacts.filter { $0.displayName == payee.displayName }
            let liked = found.filter { favorites.contains($0.customIdentifier ?? "") }
            if found.count > 1, liked.count == 1 { return .confirmationRequired(liked[0]) }
            return found.count == 1 ? .success(found[0]) : .disambiguation(found)
        }
        Resolve(\.$amount) { amount, _ in
            guard let amount else { return .needsValue() }
            guard ["EUR", "USD"].contains(amount.currencyCode) else {
                return .unsupported(reason: CurrencyAmountUnsupportedReason.currencyUnsupported)
            }
            guard amount.minorUnits <= 100_00 else {
                return .unsupported(reason: CurrencyAmountUnsupportedReason.amountAboveMaximum, dialog: "At most 100.")
            }
            return .success(amount)
        }
    }
    func handle(_ pay: Pay, context: Context) async throws -> HandleResponse { .success }
}

@Suite("The examples of SiriKit's article on resolving parameters")
struct SiriKitResolutionTests {
    private let johns = [
        Person(displayName: "John", customIdentifier: "j1"), Person(displayName: "John", customIdentifier: "j2"),
    ]

    @Test("the only John is a success")
    func onlyJohn() async throws {
        let server = SingleHandlerExtension(handler: PayHandler(contacts: [johns[1]]))
        #expect(try await server.resolve("payee", [.given("payee", "John")]).resolution == .success(JSON(johns[1])))
    }

    @Test("two equal Johns lead to a choice, and the chosen one is not searched for again")
    func twoJohns() async throws {
        let handler = PayHandler(contacts: johns)
        let server = SingleHandlerExtension(handler: handler)
        let asked = try await server.resolve("payee", [.given("payee", "John")])
        #expect(asked.resolution.options.map(\.id) == ["j1", "j2"] && handler.tally.all.count == 1)
        let chosen = ParameterState(name: "payee", value: asked.resolution.options.last?.value, origin: .chosen)
        #expect(try await server.resolve("payee", [chosen]).resolution == .success(JSON(johns[1])))
        #expect(handler.tally.all.count == 1)
    }

    @Test("a favorite John leads to a confirmation, and the confirmed one is not searched for again")
    func favoriteJohn() async throws {
        let handler = PayHandler(contacts: johns, favorites: ["j2"])
        let server = SingleHandlerExtension(handler: handler)
        let asked = try await server.resolve("payee", [.given("payee", "John")])
        #expect(asked.resolution == .confirmationRequired(JSON(johns[1]), dialog: nil))
        let confirmed = ParameterState(name: "payee", value: JSON(johns[1]), origin: .confirmed)
        #expect(try await server.resolve("payee", [confirmed]).resolution == .success(JSON(johns[1])))
        #expect(handler.tally.all.count == 1)
    }

    @Test("Canadian dollars are unsupported, with a typed reason")
    func canadianDollars() async throws {
        let server = SingleHandlerExtension(handler: PayHandler(contacts: []))
        let cad = [ParameterState.given("amount", "20 CAD")]
        #expect(
            try await server.resolve("amount", cad).resolution
                == .unsupported(reason: "currencyUnsupported", dialog: "Euros or dollars, please."))
        #expect(try await server.resolve("amount", cad, locale: "nl").resolution.dialog == "Euro's of dollars, graag.")
        #expect(try await server.resolve("amount", [.given("amount", "200 EUR")]).resolution.dialog == "At most 100.")
        let euros = CurrencyAmount(minorUnits: 20_00, currencyCode: "EUR")
        #expect(try await server.resolve("amount", [.given("amount", "20 EUR")]).resolution == .success(JSON(euros)))
    }

    @Test("a missing amount is asked for")
    func missingAmount() async throws {
        #expect(
            try await SingleHandlerExtension(handler: PayHandler(contacts: [])).resolve("amount", []).resolution
                == .needsValue(dialog: "How much?"))
    }
}
