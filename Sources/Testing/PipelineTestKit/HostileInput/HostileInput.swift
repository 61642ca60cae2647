package import IntentModel
package import RecordLog

/// A seeded generator of input that is made to break readers: bytes, texts, JSON, and valid values with edits. The
/// same seed gives the same input on every machine, and a log of the tests has the seed.
package struct HostileInput: RandomNumberGenerator {
    package let seed: UInt64
    private var random: SeededRandom

    package init(seed: UInt64 = .random(in: .min ... .max)) {
        self.seed = seed
        random = SeededRandom(seed: seed)
        print("the seed of the hostile input is \(seed)")
    }

    package mutating func next() -> UInt64 { random.next() }

    /// Returns `true` once in this number of times, on average.
    package mutating func once(in times: Int) -> Bool { random.once(in: times) }

    package mutating func pick<C: Collection>(_ elements: C) -> C.Element { random.pick(elements) }

    private mutating func below(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }

    // MARK: Bytes and texts

    package mutating func bytes(upTo most: Int) -> Bytes {
        (0..<below(most + 1)).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// Returns any timestamp that a producer can set.
    package mutating func timestamp() -> Int64 {
        switch below(3) {
        case 0: once(in: 6) ? .min : pick(HostileTables.times)
        case 1: Int64(bitPattern: next())
        default: 1_772_366_400_000
        }
    }

    /// Returns a number as text, with up to 45 digits and an exponent of up to three.
    package mutating func number() -> String {
        var text = pick(["", "", "-", "+"])
        for _ in 0...below(pick([3, 20, 45])) { text += String(below(10)) }
        if once(in: 3) { text += "." + String(below(1_000_000)) }
        if once(in: 4) { text += pick(["e", "E"]) + pick(["", "-", "+"]) + String(below(pick([10, 130, 400]))) }
        return text
    }

    /// Returns pieces of the texts of values, in any order.
    package mutating func text() -> String {
        (0..<below(7)).map { _ in once(in: 3) ? number() : pick(Self.pieces) }.joined()
    }

    private static let pieces = [
        " ", " ", ",", " and ", "-", ".", "/", "..", ":", "T", "Z", "e999", "nan", "inf", "\u{0}", "é", "🫖",
        "\u{301}", "e\u{301}", "\u{2212}", "\u{FEFF}", "\u{202E}", "\u{1B}", "km", "miles", "feet", "°C", "K", "L",
        "every", "weekly", "on monday", "until", "times", "FREQ=DAILY", ";COUNT=", "INTERVAL=", "P", "PT", "H", "M",
        "S", "2026-03-02T18:30:00Z", "9999-12-31T23:59:59Z", "0001-01-01T00:00:00+23:59", "https://", "example.com",
        "file:", "[::1]", "%", "three", "twenty", "yes", "€", "EUR", "credit card", "sencha",
    ]

    // MARK: JSON

    /// Names of members that a reader looks for, and texts that it accepts.
    package struct Vocabulary: Sendable {
        package var names: [String]
        /// The texts of a member, by its name; the empty name has texts of any member.
        package var texts: [String: [String]]

        package init(names: [String], texts: [String: [String]]) { (self.names, self.texts) = (names, texts) }

        /// The members of the values of parameters.
        package static let values = Vocabulary(
            names: [
                "name", "value", "unit", "amount", "currencyCode", "type", "url", "data", "start", "end", "recurrence",
                "frequency", "interval", "weekdays", "count", "until", "latitude", "longitude", "identifier", "aliases",
            ],
            texts: [
                "unit": ["km", "°C", "mL"], "frequency": ["weekly", "daily"], "currencyCode": ["EUR", "JPY", "KWD"],
                "type": ["credit", "image/png"], "url": ["https://example.com/a"], "data": ["AQID", "AQ=="],
                "start": ["2026-03-02T18:30:00Z"], "end": ["2026-03-02T19:30:00.5Z"],
            ])
    }

    /// Returns valid JSON of any kind, up to this depth.
    package mutating func json(_ words: Vocabulary = .values, depth: Int = 3) -> JSON {
        switch below(depth > 0 ? 12 : 7) {
        case 0: return .null
        case 1: return .bool(once(in: 2))
        case 2: return .number(once(in: 2) ? below(11) - 5 : Int(truncatingIfNeeded: next()))
        case 3:
            let number = Double(bitPattern: next())
            return .number(number.isFinite ? number : 0.5)
        case 4...6: return .string(once(in: 2) ? words.texts[""].map { pick($0) } ?? text() : text())
        case 7, 8: return .array((0..<below(4)).map { _ in json(words, depth: depth - 1) })
        default: return object(words, depth: depth - 1)
        }
    }

    /// Returns an object with up to this number of members, of which two may have one name.
    package mutating func object(_ words: Vocabulary = .values, upTo most: Int = 4, depth: Int = 3) -> JSON {
        let members = (0..<below(most + 1)).map { _ in
            let name = pick(words.names)
            guard let texts = words.texts[name], !once(in: 4) else { return (name, json(words, depth: depth)) }
            return (name, JSON.string(pick(texts)))
        }
        return .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }

    /// Returns tokens of JSON in any order. Some texts exceed the bounds of depth or members, and some are valid.
    package mutating func almostJSON() -> Bytes {
        switch below(12) {
        case 0:
            let depth = pick([31, 32, 33, 64, 65, 500])
            let (open, close) = once(in: 2) ? (#"{"a":"#, "}") : ("[", "]")
            return Bytes((String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)).utf8)
        case 1: return Bytes(repeating: UInt8(ascii: "["), count: 2_001)
        case 2 where once(in: 20):
            return Bytes("{\((0..<1_001).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}".utf8)
        case 3:
            let numbers = ["1e400", "-1e400", "9223372036854775808", "0.1e-400", "1e+", "--1", "0x1"]
            return Bytes("{\"n\":\(pick(numbers))}".utf8)
        case 4: return Bytes("[\"".utf8) + bytes(upTo: 16) + Bytes("\"]".utf8)
        default: return (0..<1 + below(14)).flatMap { _ in pick(Self.tokens) }
        }
    }

    private static let tokens = [
        "{", "}", "[", "]", ":", ",", "\"", "\"a\":", "\"value\":", "null", "true", "fals", "0", "-", "-0", "1e999",
        "1E-999", "01", ".5", "123456789012345678901234567890", "\"\\u0000\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"",
        "\"\\x\"", "\"é\"", "\u{FEFF}", " ", "\n", "\t", "NaN", "Infinity", "'a'", "/*", "\"\\", "{\"a\":1,\"a\":2}",
        "[[]]",
    ].map { Bytes($0.utf8) }

    // MARK: Edits of bytes

    /// Returns a text with up to three edits. A quarter of the texts are unchanged.
    package mutating func edited(_ text: String) -> String {
        String(decoding: edited(Bytes(text.utf8), times: 0...3), as: UTF8.self)
    }

    /// Returns bytes with edits.
    ///
    /// - Parameter other: Other valid bytes, which an edit may continue with.
    package mutating func edited(_ bytes: Bytes, with other: Bytes = [], times: ClosedRange<Int> = 1...3) -> Bytes {
        var bytes = bytes
        for _ in 0..<Int.random(in: times, using: &random) where !bytes.isEmpty { edit(&bytes, with: other) }
        return bytes
    }

    private mutating func edit(_ bytes: inout Bytes, with other: Bytes) {
        let place = below(bytes.count)
        switch below(14) {
        case 0: bytes[place] ^= 1 << UInt8(below(8))
        case 1: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 2: bytes[place] = pick(Bytes("09-. e\"}".utf8))
        case 3: bytes.removeSubrange(place...)
        case 4: bytes.removeSubrange(..<place)
        case 5: bytes.removeSubrange(place..<min(bytes.count, place + 1 + below(12)))
        case 6: bytes = bytes[..<place] + other.suffix(below(other.count + 1))
        case 7: bytes.insert(contentsOf: pick(Self.tokens), at: place)
        case 8: bytes.insert(contentsOf: Bytes((once(in: 2) ? number() : text()).utf8), at: place)
        case 9: bytes.insert(contentsOf: self.bytes(upTo: 6), at: place)
        case 10: bytes.insert(contentsOf: bytes[place...].prefix(below(20)), at: place)
        case 11:
            // Repeats members, so that names occur twice.
            guard let brace = bytes.firstIndex(of: UInt8(ascii: "{")) else { return }
            let members = bytes.dropFirst(brace + 1).prefix { $0 != UInt8(ascii: "}") }
            bytes.insert(contentsOf: members + [UInt8(ascii: ",")], at: brace + 1)
        case 12:
            // A number becomes one that fits no integer type.
            guard let digit = bytes[place...].firstIndex(where: { 0x30...0x39 ~= $0 }) else { return }
            bytes.insert(contentsOf: Bytes("99999999999999999999".utf8), at: digit)
        default:
            guard let colon = bytes[place...].firstIndex(of: UInt8(ascii: ":")) else { return }
            bytes.insert(contentsOf: Bytes(repeating: UInt8(ascii: "["), count: pick([1, 40, 90])), at: colon + 1)
        }
    }
}
