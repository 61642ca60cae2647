public import IntentKit

/// Reports the balances of the user's accounts (SiriKit: `INSearchForAccountsIntent`). The balances are private, so the
/// user signs in first.
public struct SearchForAccounts: Intent {
    public static let title: LocalizedText = "Check my balance"
    public static let authenticationPolicy = IntentAuthenticationPolicy.requiresAuthentication
    public static let signIn = SignIn(url: "https://bank.example/sign-in", title: "Example Bank")

    @Parameter(
        title: "Currency", requestValueDialog: "The account in which currency?",
        optionsProvider: StaticOptions("EUR", "USD"))
    public var currency: String?

    public static let parameters = Parameters<Self>(\.$currency)
    public static var parameterSummary: some ParameterSummary {
        When(\.$currency, .hasAnyValue) {
            Summary("Check the balance in \(\.$currency)")
        } otherwise: {
            Summary("Check my balance")
        }
    }

    public init() {}
}

struct SearchForAccountsHandler: IntentHandling {
    let bank: Bank

    func handle(_ search: SearchForAccounts, context: Context) async throws -> HandleResponse {
        let currencies = search.currency.map { [$0] } ?? bank.tariff.limits.keys.sorted()
        let balances = try currencies.map { try bank.balance($0) }
        let words = balances.map { $0.displayText(in: context.locale) }.joined(separator: context.text(" and "))
        let card = Snippet(
            title: "Accounts", image: .systemName("banknote"),
            lines: balances.map { Snippet.Line(LocalizedText($0.currencyCode), "\($0)") })
        return .success(dialog: "You have \(words).", values: ["balances": balances])
            .supporting("Your balances").showing(card)
    }
}
