public import IntentKit

/// The account of the sample's one user, with a balance in each currency and the newest 200 payments.
///
/// The account is stored in the ``SampleStore``, because confirm and handle run in different processes. A quoted fee is
/// stored under the request's idempotency key, so that handle charges the fee that the person agreed to.
public struct Bank: Sendable {
    private let store: SampleStore
    public let tariff: PaymentTariff
    private static let capacity = 200
    /// The initial balances, in the smallest unit: 1,000 of each currency.
    private static let opening = ["EUR": 100_000, "USD": 100_000]

    public init(_ store: SampleStore, tariff: PaymentTariff = .standard) { (self.store, self.tariff) = (store, tariff) }

    /// A payment, or a request for one.
    struct Entry: Codable, Sendable, Hashable {
        var key: Identifier
        /// The payee of a payment, the payer of a request.
        var other: String
        var amount: Int
        var fee: Int
        var currency: String
        var note: String?
        var isRequest: Bool
    }

    private struct Account: Codable {
        var balances = Bank.opening
        var entries: [Entry] = []
    }

    /// The balance in a currency.
    public func balance(_ currencyCode: String) throws -> CurrencyAmount {
        let account = try store.read("account", in: "bank", as: Account.self) ?? Account()
        return CurrencyAmount(minorUnits: account.balances[currencyCode] ?? 0, currencyCode: currencyCode)
    }

    /// `true` if the balance covers the smallest payment, with its fee, in at least one currency.
    func canPayAnything() throws -> Bool {
        try tariff.limits.contains { currency, limits in
            try balance(currency).minorUnits >= limits.lowerBound.minorUnits
                + tariff.fee(for: limits.lowerBound).minorUnits
        }
    }

    /// Payments and requests, the newest first.
    func entries() throws -> [Entry] { try store.read("account", in: "bank", as: Account.self)?.entries ?? [] }

    /// Stores the fee for a payment under the key. A new quote replaces an older one.
    func quote(for amount: CurrencyAmount, key: Identifier) throws -> CurrencyAmount {
        let fee = tariff.fee(for: amount)
        try store.write(fee.minorUnits, key.text, in: "bank-quotes")
        return fee
    }

    /// The fee that was quoted under the key; defaults to today's fee.
    func quoted(for amount: CurrencyAmount, key: Identifier) throws -> CurrencyAmount {
        let noted: Int? = try store.read(key.text, in: "bank-quotes")
        return noted.map { CurrencyAmount(minorUnits: $0, currencyCode: amount.currencyCode) }
            ?? tariff.fee(for: amount)
    }

    /// Makes a payment. A repeated call with the same key pays nothing.
    ///
    /// - Returns: `false` if the balance is too low.
    func pay(_ amount: CurrencyAmount, fee: CurrencyAmount, to payee: String, note: String?, key: Identifier) throws
        -> Bool
    {
        try change { account in
            if account.entries.contains(where: { $0.key == key }) { return true }
            let left = (account.balances[amount.currencyCode] ?? 0) - amount.minorUnits - fee.minorUnits
            guard left >= 0 else { return false }
            account.balances[amount.currencyCode] = left
            account.entries.insert(entry(amount, fee.minorUnits, payee, note, key, isRequest: false), at: 0)
            return true
        }
    }

    /// Asks a payer for money. A repeated call with the same key has no effect.
    func request(_ amount: CurrencyAmount, from payer: String, note: String?, key: Identifier) throws {
        try change { account in
            if account.entries.contains(where: { $0.key == key }) { return }
            account.entries.insert(entry(amount, 0, payer, note, key, isRequest: true), at: 0)
        }
    }

    private func entry(
        _ amount: CurrencyAmount, _ fee: Int, _ other: String, _ note: String?, _ key: Identifier, isRequest: Bool
    ) -> Entry {
        Entry(
            key: key, other: other, amount: amount.minorUnits, fee: fee, currency: amount.currencyCode, note: note,
            isRequest: isRequest)
    }

    private func change<Result>(_ body: (inout Account) throws -> Result) throws -> Result {
        try store.update("account", in: "bank", as: Account.self) { document in
            var account = document ?? Account()
            let result = try body(&account)
            account.entries = Array(account.entries.prefix(Self.capacity))
            document = account
            return result
        }
    }
}
