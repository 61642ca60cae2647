public import IntentKit

/// The currencies that the service supports, the smallest and largest amount of each, and the fee.
public struct PaymentTariff: Sendable {
    /// The amounts that can be paid, by currency.
    public var limits: [String: ClosedRange<CurrencyAmount>]
    /// The fee's share of the amount, in hundredths of a per cent; rounded up to the smallest unit.
    public var feeBasisPoints: Int

    public init(_ limits: [ClosedRange<CurrencyAmount>], feeBasisPoints: Int) {
        self.limits = Dictionary(limits.map { ($0.lowerBound.currencyCode, $0) }, uniquingKeysWith: { $1 })
        self.feeBasisPoints = feeBasisPoints
    }

    /// Euros and dollars, from 1 to 500, with a fee of 0.5 %.
    public static let standard = PaymentTariff(
        ["EUR", "USD"].map {
            CurrencyAmount(minorUnits: 100, currencyCode: $0)...CurrencyAmount(minorUnits: 50_000, currencyCode: $0)
        },
        feeBasisPoints: 50)

    /// The tariff's verdict on an amount: payable, or the reason why not.
    enum Verdict: Sendable, Hashable {
        case payable
        case currencyUnsupported(served: [String])
        case below(CurrencyAmount)
        case above(CurrencyAmount)
    }

    func verdict(on amount: CurrencyAmount) -> Verdict {
        guard let limits = limits[amount.currencyCode] else {
            return .currencyUnsupported(served: limits.keys.sorted())
        }
        if amount < limits.lowerBound { return .below(limits.lowerBound) }
        return amount > limits.upperBound ? .above(limits.upperBound) : .payable
    }

    /// The fee for a payable amount.
    func fee(for amount: CurrencyAmount) -> CurrencyAmount {
        CurrencyAmount(
            minorUnits: (amount.minorUnits * feeBasisPoints + 9_999) / 10_000, currencyCode: amount.currencyCode)
    }
}
