/// An exact sum of money: SiriKit's `INCurrencyAmount`.
///
/// In JSON an amount is `{"amount":"14.50","currencyCode":"EUR"}`; a number as `amount` is accepted too. A person may
/// say "€14.50" or "14.50 EUR".
public struct CurrencyAmount: ParameterValue, Comparable {
    /// The sum in the currency's smallest unit: 1450 for €14.50, 1450 for ¥1450.
    public let minorUnits: Int
    /// The ISO 4217 code of the currency, three capital letters.
    public let currencyCode: String

    public init(minorUnits: Int, currencyCode: String) {
        self.minorUnits = minorUnits
        self.currencyCode = currencyCode
    }

    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "an amount of money, as '14.50 EUR' or an object with 'amount' and 'currencyCode'"
    }
    public static var spokenKind: SpokenKind? { .currencyAmount }

    public static var jsonSchema: JSON {
        func text(_ pattern: String) -> JSON { .object(["type": .string("string"), "pattern": .string(pattern)]) }
        return .objectSchema(
            ["amount": text(#"^-?[0-9]{1,15}(\.[0-9]+)?$"#), "currencyCode": text("^[A-Z]{3}$")],
            required: ["amount", "currencyCode"])
    }

    public init?(json: JSONView) {
        var code: String?
        var amount: String?
        json.withCursor { cursor in
            cursor.object { member, value in
                switch member {
                case "currencyCode": code = value.string()
                case "amount": amount = value.kind == .number ? value.json().description : value.string()
                default: break
                }
            }
        }
        guard let code, let amount else { return nil }
        self.init(amount: amount, currencyCode: code)
    }

    public init?(text: String) {
        let text = SpokenNumber.trimmed(text)
        for (symbol, code) in Self.symbols where text.hasPrefix(symbol) || text.hasSuffix(symbol) {
            let amount = text.hasPrefix(symbol) ? text.dropFirst(symbol.count) : text.dropLast(symbol.count)
            self.init(amount: String(SpokenNumber.trimmed(String(amount))), currencyCode: code)
            return
        }
        let words = text.split(separator: " ")
        guard words.count == 2, let letters = words.first(where: { $0.first?.isLetter == true }),
            let digits = words.first(where: { $0.first?.isLetter == false })
        else { return nil }
        self.init(amount: String(digits), currencyCode: Self.names[letters.lowercased()] ?? letters.uppercased())
    }

    /// Reads an amount from digits, with at most as many decimals as the currency has, not counting trailing zeros.
    private init?(amount: String, currencyCode: String) {
        guard currencyCode.utf8.count == 3, currencyCode.utf8.allSatisfy({ (0x41...0x5A).contains($0) }) else {
            return nil
        }
        let digits = Self.fractionDigits(of: currencyCode)
        var rest = amount.utf8[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest.removeFirst() }
        var (units, before) = (0, 0)
        /// The number of decimals, if there is a decimal point.
        var behind: Int?
        for byte in rest {
            if byte == UInt8(ascii: "."), behind == nil {
                behind = 0
                continue
            }
            guard byte &- 0x30 < 10 else { return nil }
            if let place = behind {
                behind = place + 1
                if place >= digits {
                    guard byte == UInt8(ascii: "0") else { return nil }
                    continue
                }
            } else {
                before += 1
                guard before <= 15 else { return nil }
            }
            units = units * 10 + Int(byte - 0x30)
        }
        guard before > 0, behind != 0 else { return nil }
        for _ in min(behind ?? 0, digits)..<digits { units *= 10 }
        self.init(minorUnits: isNegative ? -units : units, currencyCode: currencyCode)
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("amount", amountText)
        writer.member("currencyCode", currencyCode)
        writer.endObject()
    }

    /// The amount as text: "€14.50", "¥1450", "14.500 KWD".
    public var displayText: String {
        guard let symbol = Self.symbols.first(where: { $0.1 == currencyCode })?.0 else {
            return "\(amountText) \(currencyCode)"
        }
        return minorUnits < 0 ? "-\(symbol)\(amountText.dropFirst())" : symbol + amountText
    }

    /// The amount as people of the language write it, if the registry has a ``SpokenValueReading`` that writes amounts.
    public func displayText(in locale: String?) -> String {
        SpeechContext.text(of: "\(amountText) \(currencyCode)", as: .currencyAmount, in: locale) ?? displayText
    }

    private var amountText: String {
        let decimals = Self.fractionDigits(of: currencyCode)
        var digits = Array(String(minorUnits.magnitude).utf8)
        if decimals > 0 {
            while digits.count <= decimals { digits.insert(UInt8(ascii: "0"), at: 0) }
            digits.insert(UInt8(ascii: "."), at: digits.count - decimals)
        }
        if minorUnits < 0 { digits.insert(UInt8(ascii: "-"), at: 0) }
        return String(decoding: digits, as: UTF8.self)
    }

    /// Orders amounts by sum. Different currencies have no order of their own, so their amounts are ordered by currency
    /// code.
    public static func < (a: CurrencyAmount, b: CurrencyAmount) -> Bool {
        a.currencyCode == b.currencyCode ? a.minorUnits < b.minorUnits : a.currencyCode < b.currencyCode
    }

    private static let symbols = [("€", "EUR"), ("£", "GBP"), ("$", "USD"), ("¥", "JPY")]
    private static let names = ["euro": "EUR", "euros": "EUR", "pounds": "GBP", "dollars": "USD", "yen": "JPY"]

    private static func fractionDigits(of code: String) -> Int {
        withoutDecimals.contains(code) ? 0 : withThreeDecimals.contains(code) ? 3 : 2
    }

    private static let withoutDecimals: Set = [
        "JPY", "KRW", "ISK", "VND", "CLP", "PYG", "UGX", "XAF", "XOF", "XPF", "RWF", "KMF", "GNF", "DJF", "BIF", "VUV",
    ]
    private static let withThreeDecimals: Set = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]
}
