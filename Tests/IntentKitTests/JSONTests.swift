import IntentModel
import PipelineTestKit
import Testing

@Suite("JSON is validated when it is parsed")
struct JSONTests {
    private func code(_ text: String, limits: JSONLimits = .event) -> JSONError.Code? {
        code(Array(text.utf8), limits: limits)
    }

    private func code(_ bytes: [UInt8], limits: JSONLimits = .event) -> JSONError.Code? {
        do {
            _ = try JSONView(parsing: bytes, limits: limits)
            return nil
        } catch {
            return error.code
        }
    }

    private func string(_ text: String) -> String? { (try? JSONView(parsing: Array(text.utf8)))?.string }

    @Test(
        "malformed JSON is refused",
        arguments: [
            "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}",
            "{'a':1}", "{\"a\" 1}",
            "\"",
            "\"a", "\"\\\"", "tru", "nul", "True", "nulll", "1 1", "[1]]", "\"a\nb\"", "\"\\x\"", "\"\\u12\"",
            "\"\\u12G4\"", "\u{FEFF}1",
            "//\n1", "NaN", "Infinity",
        ])
    func notJSON(text: String) {
        #expect(code(text) == .malformed)
    }

    @Test(
        "numbers in any other than JSON's syntax are refused",
        arguments: ["-", "+1", "01", "-01", ".5", "1.", "1.e1", "1e", "1e+", "0x1", "--1", "1_000", "1,5"])
    func numberSyntax(text: String) {
        #expect(code(text) == .malformed)
    }

    @Test(
        "whole numbers are read exactly, and those to count with are at most 2^53",
        arguments: [
            ("0", 0), ("-0", 0), ("12", 12), ("-3", -3), ("9007199254740992", 1 << 53),
            ("9007199254740993", 1 << 53 + 1),
            ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
        ])
    func wholeNumbers(text: String, value: Int) throws {
        let view = try JSONView(parsing: Array(text.utf8))
        #expect(view.wholeNumber == value && view.int == (value.magnitude <= 1 << 53 ? value : nil))
    }

    @Test("other numbers are read as Double")
    func fractions() throws {
        for (text, value) in [
            ("0.5", 0.5), ("1e3", 1000), ("-1.25E-2", -0.0125), ("9223372036854775808", 9.223372036854775808e18),
        ] {
            let view = try JSONView(parsing: Array(text.utf8))
            #expect(view.double == value)
            #expect(view.wholeNumber == nil && view.int == nil)
        }
    }

    @Test("numbers are read as Swift reads them", arguments: [1, 2] as [UInt64])
    func numbers(seed: UInt64) throws {
        print("JSON numbers, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let whole = String(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
            let places = Int.random(in: 0...18, using: &random)
            let fraction = (0..<places).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let text = whole + (places > 0 ? ".\(fraction)" : "") + (random.once(in: 8) ? "e-3" : "")
            let view = try JSONView(parsing: Array(text.utf8))
            #expect(view.wholeNumber == Int(text), "\(text)")
            #expect(view.double?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    /// The parser scans text in chunks of eight bytes, so each place in a chunk is tested.
    @Test("a byte that ends plain text is found at every place", arguments: 0..<24)
    func places(place: Int) throws {
        let plain = Array("abcdefghijklmnopqrstuvwx".utf8)
        func text(_ bytes: [UInt8]) -> [UInt8] { [0x22] + plain[..<place] + bytes + plain[place...] + [0x22] }
        func letters(_ middle: String) -> String {
            String(decoding: plain[..<place], as: UTF8.self) + middle + String(decoding: plain[place...], as: UTF8.self)
        }
        #expect(try JSONView(parsing: text(Array("\\n".utf8))).string == letters("\n"))
        #expect(try JSONView(parsing: text(Array("\\\"".utf8))).string == letters("\""))
        #expect(try JSONView(parsing: text(Array("é".utf8))).string == letters("é"))
        #expect(try JSONView(parsing: text([0x7F])).string == letters("\u{7F}"))
        for byte in UInt8(0)..<0x20 { #expect(code(text([byte])) == .malformed) }
        for byte in [0x80, 0xFF] as [UInt8] { #expect(code(text([byte])) == .notUTF8) }
        #expect(code(text([0x22])) == .malformed)
        #expect(JSON.string(letters("\"\u{1}\\")).view.string == letters("\"\u{1}\\"))
    }

    @Test("nesting is bounded")
    func depth() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        }
        #expect(code(nested(32)) == nil)
        #expect(code(nested(33)) == .tooDeep)
        #expect(code(String(repeating: "{\"a\":", count: 33) + "1" + String(repeating: "}", count: 33)) == .tooDeep)
        #expect(code("[" + nested(31) + "," + nested(31) + "]") == nil)
        #expect(code(String(repeating: "[", count: 60_000)) == .tooDeep)
    }

    @Test("the number of keys in the whole text is bounded")
    func keys() {
        func object(_ keys: Int) -> String { "{" + (0..<keys).map { "\"\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(code(object(1000)) == nil)
        #expect(code(object(1001)) == .tooManyKeys)
        #expect(code("[\(object(500)),\(object(501))]") == .tooManyKeys)
    }

    @Test("the number of bytes is bounded")
    func bytes() {
        func text(_ bytes: Int) -> String { "\"" + String(repeating: "a", count: bytes - 2) + "\"" }
        #expect(code(text(65_536)) == nil)
        #expect(code(text(65_537)) == .tooLarge)
        #expect(code(text(65_537), limits: .journal) == nil)
    }

    @Test(
        "text that is not UTF-8 is refused",
        arguments: [
            [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func notUTF8(bytes: [UInt8]) {
        #expect(code([0x22] + bytes + [0x22]) == .notUTF8)
    }

    @Test("every Unicode scalar is kept")
    func scalars() throws {
        let text = "$£€😀\u{7FF}\u{800}\u{FFFF}\u{10FFFF}\u{D7FF}\u{E000}"
        #expect(string("\"\(text)\"") == text)
    }

    @Test("escapes are decoded")
    func escapes() {
        #expect(string(#""\"\\\/\b\f\n\r\t\u00e9\u0000""#) == "\"\\/\u{8}\u{C}\n\r\té\0")
        #expect(string(#""a\u0062c""#) == "abc")
    }

    @Test("surrogate pairs are joined, and lone surrogates are replaced")
    func surrogates() {
        #expect(string(#""\ud83d\ude00""#) == "😀")
        #expect(string(#""\uD83D\uDE00!""#) == "😀!")
        #expect(string(#""\ud83d""#) == "\u{FFFD}")
        #expect(string(#""\ude00\ud83d""#) == "\u{FFFD}\u{FFFD}")
        #expect(string(#""\ud83dx\ude00""#) == "\u{FFFD}x\u{FFFD}")
    }

    @Test("members are found whatever the whitespace, and the last duplicate wins")
    func members() throws {
        let view = try JSONView(
            parsing: Array(
                " { \"a\" : [ 1 , \"]}\" , { } ] ,\n\"\\u0062\":null, \"a\\\"\":true,\"d\":1,\"d\":2 } ".utf8))
        #expect(view.members.map(\.name) == ["a", "b", "a\"", "d", "d"])
        #expect(view["a"]?.elements.map(\.kind) == [.number, .string, .object])
        #expect(view["a"]?.elements[1].string == "]}")
        #expect(view["b"]?.isNull == true && view["a\""]?.bool == true)
        #expect(view["d"]?.int == 2)
        #expect(view["x"] == nil)
        #expect(view["a"]?.json.description == "[ 1 , \"]}\" , { } ]")
        #expect(view.json.bytes.first == UInt8(ascii: "{") && view.json.bytes.last == UInt8(ascii: "}"))
    }

    @Test("a value is never read as another kind")
    func kinds() throws {
        let view = try JSONView(parsing: Array("[1]".utf8))
        #expect(view.string == nil && view.int == nil && view.double == nil && view.bool == nil && view.members.isEmpty)
    }
}
