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
@Suite("Hostile input to every type")
struct HostileInputTests {
    /// Checks a type with random input.
    ///
    /// - Parameter examples: JSON and text of the type. Half of the inputs are examples with small changes.
    private func check<Value: ParameterValue>(_ type: Value.Type, seed: UInt64, _ examples: String...) throws {
        var noise = Noise(seed: seed)
        var taken = 0
        for _ in 0..<150 {
            let example = noise.changed(noise.pick(examples))
            for text in [noise.text(), example] { taken += try Self.holds(Value(text: text), "text \(text)") }
            let made = JSON.make { noise.write(to: &$0, depth: 3) }.bytes
            for bytes in [made, Array(example.utf8)] {
                guard let json = try? JSONView(parsing: bytes) else { continue }
                taken += try Self.holds(ParameterConversion<Value>.standard.read(json), "\(json.json)")
                if json.kind == Value.jsonKind { taken += try Self.holds(Value(json: json), "\(json.json)") }
            }
        }
        #expect(taken > 15, "\(Value.self): too little of the random input was readable")
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

    @Test("plain values survive random input")
    func plainValues() throws {
        try check(Bool.self, seed: 1, #""yes""#, "yes")
        try check(Int.self, seed: 2, #""25""#, "25")
        try check(Double.self, seed: 3, #""1.5e3""#, "1.5e3")
        try check(
            Decimal.self, seed: 4, #""-123456.789e-10""#, #"99999999999999999999999999999999999999"#, #""1e126""#,
            "-123456.789e-10",
            "1e126")
        try check(String.self, seed: 5, #""x""#, "x")
        try check(Date.self, seed: 6, #""2026-03-02T18:30:00.5+01:00""#, "2026-03-02T18:30:00.5+01:00")
        try check(
            Duration.self, seed: 7, #""P1DT2H30M4.5S""#, #""1 hour 30 minutes""#, "P1DT2H30M4.5S", "1 hour 30 minutes")
        try check(
            URL.self, seed: 8, #""https://u:p@example.com:80/a/../b?c=%20#d""#,
            "https://u:p@example.com:80/a/../b?c=%20#d")
        try check(Leaf.self, seed: 9, #""green tea""#, "green tea")
    }

    @Test("objects survive random input")
    func objects() throws {
        try check(Place.self, seed: 11, #"{"name":"Pub","latitude":53.5,"longitude":-6}"#)
        try check(Person.self, seed: 12, #"{"name":"Ann","handle":"a@b","aliases":["Mum"],"isMe":true}"#)
        try check(
            CurrencyAmount.self, seed: 13, #"{"amount":"-999999999999.99","currencyCode":"EUR"}"#, #""14.50 EUR""#,
            "14.50 EUR")
        try check(
            PaymentMethod.self, seed: 14, #"{"type":"credit","name":"Visa"}"#, #""my credit card""#, "my credit card")
        try check(
            IntentFile.self, seed: 15, #"{"name":"a.b","type":"c/d","data":"AQID/w=="}"#,
            #"{"name":"m","url":"https://example.com/m.pdf"}"#
        )
        try check(
            DateRange.self, seed: 16, #"{"start":"2026-03-02T18:30:00Z","end":"2026-03-02T19:30:00Z"}"#,
            #""2026-03-02T18:30:00Z/PT2H""#,
            #""9999-12-31T23:00:00Z/PT1000000H""#, #""PT277777777H/0001-01-01T00:00:00Z""#, "2026-03-02T18:30:00Z/PT2H",
            "9999-12-31T23:00:00Z/PT1000000H", "PT277777777H/0001-01-01T00:00:00Z")
        try check(
            RecurrenceRule.self, seed: 17, #"{"frequency":"weekly","interval":2,"weekdays":["monday"],"count":10}"#,
            #""every 2 weeks on Monday until 2026-12-31T00:00:00Z""#, #""FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10""#,
            "every 2 weeks on Monday until 2026-12-31T00:00:00Z", "FREQ=WEEKLY;BYDAY=MO,TH;COUNT=10")
        try check(
            Measurement<UnitLength>.self, seed: 18, #"{"value":5.5,"unit":"km"}"#, #""5 feet 11 inches""#,
            "5 feet 11 inches")
        try check(
            Measurement<UnitTemperature>.self, seed: 19, #"{"value":5.5,"unit":"°C"}"#, #""-40 degrees fahrenheit""#,
            "-40 degrees fahrenheit")
    }

    @Test("lists survive random input")
    func lists() throws {
        try check([Int].self, seed: 21, #"[1,2,"three"]"#, #""1, 2 and 3""#, "1, 2 and 3")
        try check(Set<Decimal>.self, seed: 22, #"["1.5",2.5e-9,"1.50"]"#, #""1, 2 and 3""#, "1, 2 and 3")
        try check([[Measurement<UnitVolume>]].self, seed: 23, #"[[{"value":5,"unit":"mL"},"2 cups"],"3 pints"]"#)
        try check(Set<RecurrenceRule>.self, seed: 24, #"["daily",{"frequency":"weekly","weekdays":["monday"]}]"#)
    }

    @Test("decimals of any size can be compared")
    func decimals() throws {
        var noise = Noise(seed: 31)
        let numbers = (0..<200).compactMap { _ in Decimal(text: noise.number()) } + [.nan]
        for a in numbers {
            for b in numbers { _ = (a < b, a == b) }
        }
        #expect(numbers.count > 20)
    }

    @Test("very long text is refused quickly")
    func longText() {
        let long = String(repeating: "and 1 km every 9", count: 4_000)
        #expect(Int(text: long) == nil && Decimal(text: long) == nil && Measurement<UnitLength>(text: long) == nil)
        #expect(RecurrenceRule(text: long) == nil && DateRange(text: long) == nil && URL(text: long) == nil)
        #expect([Int](text: long) == nil)
    }
}

/// Pseudo-random input, made of pieces that types look for.
private struct Noise {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }
    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }

    mutating func number() -> String {
        var text = pick(["", "", "-", "+"])
        for _ in 0...below(pick([3, 20, 45])) { text += String(below(10)) }
        if below(3) == 0 { text += "." + String(random.next() % 1_000_000) }
        if below(4) == 0 { text += pick(["e", "E"]) + pick(["", "-", "+"]) + String(below(pick([10, 130, 400]))) }
        return text
    }

    mutating func text() -> String {
        let pieces = [
            " ", " ", ",", " and ", "-", ".", "/", "..", ":", "T", "Z", "e999", "nan", "inf", "\u{0}", "é", "🫖",
            "\u{301}", "e\u{301}",
            "\u{2212}", "\u{FEFF}",
            "km", "miles", "feet", "°C", "K", "L", "every", "weekly", "on monday", "until", "times", "FREQ=DAILY",
            ";COUNT=", "INTERVAL=",
            "P", "PT", "H", "M", "S",
            "2026-03-02T18:30:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59", "https://", "example.com",
            "file:", "[::1]", "%",
            "three", "twenty", "yes", "€",
            "EUR", "credit card", "sencha",
        ]
        return (0..<below(7)).map { _ in below(3) == 0 ? number() : pick(pieces) }.joined()
    }

    /// The text with up to three letters or pieces inserted, removed or repeated.
    mutating func changed(_ text: String) -> String {
        var characters = Array(text)
        for _ in 0..<below(4) where !characters.isEmpty {
            let index = below(characters.count)
            switch below(4) {
            case 0: characters.remove(at: index)
            case 1: characters.insert(contentsOf: Array(below(2) == 0 ? number() : self.text()), at: index)
            case 2: characters[index] = pick(["0", "9", "-", ".", " ", "e", "\"", "}"])
            default: characters.insert(contentsOf: characters[index...].prefix(below(20)), at: index)
            }
        }
        return String(characters)
    }

    mutating func write(to writer: inout JSONWriter, depth: Int) {
        switch below(depth > 0 ? 12 : 7) {
        case 0: writer.null()
        case 1: writer.bool(below(2) == 0)
        case 2: writer.number(Int(truncatingIfNeeded: random.next()))
        case 3:
            let number = Double(bitPattern: random.next())
            writer.number(number.isFinite ? number : 0.5)
        case 4...6: writer.string(text())
        case 7, 8:
            writer.beginArray()
            for _ in 0..<below(4) { write(to: &writer, depth: depth - 1) }
            writer.endArray()
        default:
            let names = [
                "name", "value", "unit", "amount", "currencyCode", "type", "url", "data", "start", "end", "recurrence",
                "frequency",
                "interval", "weekdays", "count",
                "until", "latitude", "longitude", "identifier", "aliases",
            ]
            let likely: [String: [String]] = [
                "unit": ["km", "°C", "mL"], "frequency": ["weekly", "daily"], "currencyCode": ["EUR", "JPY", "KWD"],
                "type": ["credit", "image/png"],
                "url": ["https://example.com/a"], "data": ["AQID", "AQ=="], "start": ["2026-03-02T18:30:00Z"],
                "end": ["2026-03-02T19:30:00.5Z"],
            ]
            writer.beginObject()
            for _ in 0..<below(5) {
                let name = pick(names)
                writer.name(named: name)
                if let values = likely[name], below(4) > 0 {
                    writer.string(pick(values))
                } else {
                    write(to: &writer, depth: depth - 1)
                }
            }
            writer.endObject()
        }
    }
}
