import Foundation
import IntentKit

extension Words {
    /// Reads all words together as sums of money that they may mean: "14,50 €", "14 Euro 50", "$5", "fifty cents".
    mutating func sums() -> [SpokenCandidate] {
        skipFillers()
        var isNegative = accept(.minus)
        var code = currency()
        if accept(.minus) { isNegative = true }
        guard let amounts = amount() else { return [] }
        if code == nil, accept(.cents) {
            skipFillers()
            guard isAtEnd, let cents = Int(amounts[0].text), cents < 100, let localCurrency else { return [] }
            return [
                SpokenCandidate(text: "\(isNegative ? "-" : "")0.\(twoDigits(cents)) \(localCurrency)", confidence: 0.8)
            ]
        }
        var cents: Int?
        if code == nil {
            skipFillers()
            code = currency()
            if code != nil { cents = self.cents() }
        }
        skipFillers()
        guard isAtEnd, let code else { return [] }
        var candidates: [SpokenCandidate] = []
        for (text, confidence) in amounts {
            let parts = text.split(separator: ".")
            // The maximum number of digits of a CurrencyAmount.
            if parts[0].utf8.count > 15 { continue }
            var sum = text
            if let cents {
                guard parts.count == 1 else { continue }
                sum = "\(text).\(twoDigits(cents))"
            } else if parts.count == 2 {
                // No currency of these languages is divided into thousandths.
                if parts[1].utf8.count > 2 { continue }
                if parts[1].utf8.count == 1 { sum += "0" }
            }
            candidates.append(SpokenCandidate(text: "\(isNegative ? "-" : "")\(sum) \(code)", confidence: confidence))
        }
        // The other reading of "1.500" is not a sum of money.
        if candidates.count == 1, amounts.count > 1 { candidates[0].confidence = 0.9 }
        return candidates
    }

    private mutating func currency() -> String? {
        switch current {
        case .currency(let code):
            place += 1
            return code
        case .dollarSign:
            place += 1
            return localDollar ?? "USD"
        default: return nil
        }
    }

    /// Reads "50", "and fifty cents".
    private mutating func cents() -> Int? {
        attempt { words in
            _ = words.accept(.and)
            guard let cents = words.whole(), (0..<100).contains(cents) else { return nil }
            _ = words.accept(.cents)
            return cents
        }
    }

    /// The person's own dollar or peso, if the currency of the person's region has the dollar sign.
    private var localDollar: String? {
        guard let region else { return nil }
        return Currencies.dollars[region]
    }

    private var localCurrency: String? {
        region == nil ? nil : Locale(identifier: context.locale ?? "en").currency?.identifier
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

enum Currencies {
    static let codes = Set(Locale.commonISOCurrencyCodes)
    /// The currencies that are written with a dollar sign, by region.
    static let dollars = [
        "US": "USD", "CA": "CAD", "AU": "AUD", "NZ": "NZD", "SG": "SGD", "HK": "HKD", "MX": "MXN", "AR": "ARS",
        "CL": "CLP", "CO": "COP",
    ]
}
