import PipelineTestKit
import RecordLog

/// Input made to break a reader.
enum Hostile {
    static func bytes(_ most: Int, _ random: inout SeededRandom) -> Bytes {
        var bytes = Bytes()
        var left = Int.random(in: 0...most, using: &random)
        while left > 0 {
            withUnsafeBytes(of: random.next()) { bytes += $0.prefix(left) }
            left -= 8
        }
        return bytes
    }

    /// Any timestamp that a producer can set.
    static func timestamp(_ random: inout SeededRandom) -> Int64 {
        switch Int.random(in: 0..<3, using: &random) {
        case 0:
            random.pick([.min, -9_223_118_634_554_000_000, -62_167_219_200_001, -1, 0, 1, 253_402_300_800_000, .max])
        case 1: Int64(bitPattern: random.next())
        default: 1_772_366_400_000
        }
    }

    private static let tokens = [
        "{", "}", "[", "]", ":", ",", "\"", "\"a\":", "\"value\":", "null", "true", "fals", "0", "-", "-0", "1e999",
        "1E-999", "01", ".5",
        "123456789012345678901234567890", "\"\\u0000\"", "\"\\ud800\"", "\"\\ud83d\\ude00\"", "\"\\x\"", "\"é\"",
        "\u{FEFF}", " ", "\n",
        "\t",
        "NaN", "Infinity", "'a'", "/*", "\"\\", "{\"a\":1,\"a\":2}", "[[]]",
    ].map { Bytes($0.utf8) }

    /// Tokens in any order. Some inputs exceed the bound of the depth or of the members, and some are valid.
    static func json(_ random: inout SeededRandom) -> Bytes {
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            let depth = random.pick([31, 32, 33, 64, 65, 500])
            let isObject = random.once(in: 2)
            return Bytes(
                (String(repeating: isObject ? "{\"a\":" : "[", count: depth) + "1"
                    + String(repeating: isObject ? "}" : "]", count: depth))
                    .utf8)
        case 1: return Bytes("[".utf8) + Bytes(repeating: UInt8(ascii: "["), count: 2_000)
        case 2 where random.once(in: 20):
            return Bytes("{\((0..<1_001).map { "\"k\($0)\":\($0)" }.joined(separator: ","))}".utf8)
        case 3:
            return Bytes(
                "{\"n\":\(random.pick(["1e400", "-1e400", "9223372036854775808", "0.1e-400", "1e+", "--1", "0x1"]))}"
                    .utf8)
        case 4: return Bytes("[\"".utf8) + bytes(16, &random) + Bytes("\"]".utf8)
        default: return (0..<Int.random(in: 1...14, using: &random)).flatMap { _ in random.pick(tokens) }
        }
    }

    /// A value that is damaged in one to three ways.
    static func damaged(_ value: Bytes, with other: Bytes, _ random: inout SeededRandom) -> Bytes {
        var value = value
        for _ in 0..<Int.random(in: 1...3, using: &random) where !value.isEmpty {
            let place = Int.random(in: 0..<value.count, using: &random)
            switch Int.random(in: 0..<9, using: &random) {
            case 0: value[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            case 1: value.removeSubrange(place...)
            case 2: value.removeSubrange(..<place)
            case 3: value = value[..<place] + other.suffix(Int.random(in: 0...other.count, using: &random))
            case 4: value.insert(contentsOf: random.pick(tokens), at: place)
            case 5:
                // Repeats members, so that names occur twice.
                if let brace = value.firstIndex(of: UInt8(ascii: "{")) {
                    let members = value.dropFirst(brace + 1).prefix { $0 != UInt8(ascii: "}") }
                    value.insert(contentsOf: members + [UInt8(ascii: ",")], at: brace + 1)
                }
            case 6:
                // A number becomes one that fits no integer type.
                if let digit = value[place...].firstIndex(where: { 0x30...0x39 ~= $0 }) {
                    value.insert(contentsOf: Bytes("99999999999999999999".utf8), at: digit)
                }
            case 7:
                if let colon = value[place...].firstIndex(of: UInt8(ascii: ":")) {
                    value.insert(
                        contentsOf: Bytes(repeating: UInt8(ascii: "["), count: random.pick([1, 40, 90])), at: colon + 1)
                }
            default: value.insert(contentsOf: bytes(6, &random), at: place)
            }
        }
        return value
    }
}
