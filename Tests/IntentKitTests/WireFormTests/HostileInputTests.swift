import IntentKit
import PipelineTestKit
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Random input for every type, the same in every run. A value that a type reads must survive a round trip, and no
/// input may trap.
@Suite("Hostile input to every type") struct HostileInputTests {
    /// Checks a type with random input.
    ///
    /// - Parameters:
    ///   - examples: JSON of the type. Half of the inputs are examples with small changes.
    ///   - words: Examples that are text, and JSON strings as well.
    private func check<Value: ParameterValue>(
        _ type: Value.Type, seed: UInt64, _ examples: String..., words: [String] = []
    ) throws {
        let examples = examples + words + words.map { JSON.string($0).description }
        var input = HostileInput(seed: seed)
        var read = 0
        for _ in 0..<1_000 {
            let example = input.edited(input.pick(examples))
            for text in [input.text(), example] { read += try Self.holds(Value(text: text), "text \(text)") }
            for bytes in [input.json().bytes, Array(example.utf8), input.almostJSON()] {
                guard let json = try? JSONView(parsing: bytes) else { continue }
                read += try Self.holds(ParameterConversion<Value>.standard.read(json), "\(json.json)")
                guard let value = Value(json: json) else { continue }
                if json.kind == Value.jsonKind { read += try Self.holds(value, "\(json.json)") }
                #expect(throws: Never.self) { try JSONView(parsing: JSON(value).bytes) }
            }
        }
        #expect(read > 100, "\(Value.self): too little of the random input was readable")
    }

    private static func holds<Value: ParameterValue>(_ value: Value?, _ source: String) throws -> Int {
        guard let value else { return 0 }
        let encoded = JSON(value)
        let view = try JSONView(parsing: encoded.bytes)
        let back = view.kind == .string ? view.string.flatMap { Value(text: $0) } : Value(json: view)
        let isSame = back == value
        #expect(isSame, "\(source) became \(encoded), which reads as another")
        _ = (
            value.displayText, value.optionID, value.displayRepresentation, value.displayText(in: "nl"), value.hashValue
        )
        return 1
    }

    @Test func `plain values survive random input`() throws {
        try check(Bool.self, seed: 1, words: ["yes"])
        try check(Int.self, seed: 2, words: ["25"])
        try check(Double.self, seed: 3, words: ["1.5e3"])
        let most = "99999999999999999999999999999999999999"
        try check(Decimal.self, seed: 4, most, words: ["-123456.789e-10", "1e126"])
        try check(String.self, seed: 5, words: ["x"])
        let dates = [#""2026-02-30T25:61:00Z""#, #""tomorrow at 5""#]
        try check(Date.self, seed: 6, dates[0], dates[1], words: ["2026-03-02T18:30:00.5+01:00"])
        let hours = #""9223372036854775808 hours""#
        try check(Duration.self, seed: 7, hours, words: ["P1DT2H30M4.5S", "1 hour 30 minutes"])
        try check(URL.self, seed: 8, words: ["https://u:p@example.com:80/a/../b?c=%20#d"])
        try check(Leaf.self, seed: 9, words: ["green tea"])
    }

    @Test func `objects survive random input`() throws {
        try check(
            Place.self, seed: 11, #"{"name":"Pub","latitude":53.5,"longitude":-6}"#,
            #"{"latitude":91,"longitude":-181}"#, #"{"name":"x","latitude":1e308}"#)
        try check(Person.self, seed: 12, #"{"name":"Ann","handle":"a@b","aliases":["Mum"],"isMe":true}"#)
        try check(
            CurrencyAmount.self, seed: 13, #"{"amount":"-999999999999.99","currencyCode":"EUR"}"#,
            #"{"amount":"12.50","currency":"EUR"}"#, words: ["14.50 EUR"])
        try check(PaymentMethod.self, seed: 14, #"{"type":"credit","name":"Visa"}"#, words: ["my credit card"])
        try check(
            IntentFile.self, seed: 15, #"{"name":"a.b","type":"c/d","data":"AQID/w=="}"#,
            #"{"name":"m","url":"https://example.com/m.pdf"}"#, #"{"name":"a","data":"===="}"#)
        try check(
            DateRange.self, seed: 16, #"{"start":"2026-03-02T18:30:00Z","end":"2026-03-02T19:30:00Z"}"#,
            #"{"start":"2026-01-01T00:00:00Z","end":"2025-01-01T00:00:00Z"}"#,
            words: [
                "2026-03-02T18:30:00Z/PT2H", "9999-12-31T23:00:00Z/PT1000000H", "PT277777777H/0001-01-01T00:00:00Z",
            ])
        try check(
            RecurrenceRule.self, seed: 17, #"{"frequency":"weekly","interval":2,"weekdays":["monday"],"count":10}"#,
            #"{"frequency":"weekly","interval":9223372036854775807}"#, #""every 99999999999 days""#,
            words: ["every 2 weeks on Monday until 2026-12-31T00:00:00Z", "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10"])
        try check(
            Measurement<UnitLength>.self, seed: 18, #"{"value":5.5,"unit":"km"}"#, #"{"value":1e308,"unit":"km"}"#,
            #""1e999 km""#, words: ["5 feet 11 inches"])
        let degrees = #"{"value":5.5,"unit":"°C"}"#
        try check(Measurement<UnitTemperature>.self, seed: 19, degrees, words: ["-40 degrees fahrenheit"])
    }

    @Test func `lists survive random input`() throws {
        try check([Int].self, seed: 21, #"[1,2,"three"]"#, words: ["1, 2 and 3"])
        try check(Set<Decimal>.self, seed: 22, #"["1.5",2.5e-9,"1.50"]"#, words: ["1, 2 and 3"])
        try check([[Measurement<UnitVolume>]].self, seed: 23, #"[[{"value":5,"unit":"mL"},"2 cups"],"3 pints"]"#)
        try check(Set<RecurrenceRule>.self, seed: 24, #"["daily",{"frequency":"weekly","weekdays":["monday"]}]"#)
    }

    @Test func `decimals of any size can be compared`() throws {
        var input = HostileInput(seed: 31)
        let numbers = (0..<200).compactMap { _ in Decimal(text: input.number()) } + [.nan]
        for a in numbers { for b in numbers { _ = (a < b, a == b) } }
        #expect(numbers.count > 20)
    }

    @Test func `very long text is refused quickly`() {
        let long = String(repeating: "and 1 km every 9", count: 4_000)
        #expect(Int(text: long) == nil && Decimal(text: long) == nil && Measurement<UnitLength>(text: long) == nil)
        #expect(RecurrenceRule(text: long) == nil && DateRange(text: long) == nil && URL(text: long) == nil)
        #expect([Int](text: long) == nil)
    }
}
