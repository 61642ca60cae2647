import IntentModel
import PipelineTestKit
import Testing

@Suite("JSON is validated when it is parsed") struct JSONTests {
    private func code(_ text: String, limits: JSONLimits = .event) -> JSONError.Code? {
        code(Array(text.utf8), limits: limits)
    }

    private func code(_ bytes: [UInt8], limits: JSONLimits = .event) -> JSONError.Code? {
        do { _ = try JSONView(parsing: bytes, limits: limits) } catch { return error.code }
        return nil
    }

    private func parse(_ text: String) throws -> JSONView { try JSONView(parsing: Array(text.utf8)) }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "[1,]", "[,1]", "[1 2]", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, "{a:1}",
        "{'a':1}", #"{"a" 1}"#, "\"", #""a"#, #""\""#, "tru", "nul", "True", "nulll", "1 1", "[1]]", "\"a\nb\"",
        #""\x""#, #""\u12""#, #""\u12G4""#, "\u{FEFF}1", "//\n1", "NaN", "Infinity", "-", "+1", "01", "-01", ".5",
        "1.", "1.e1", "1e", "1e+", "0x1", "--1", "1_000", "1,5",
    ])
    func `malformed JSON is refused, and so are numbers in any other than JSON's syntax`(text: String) {
        #expect(code(text) == .malformed)
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("12", 12), ("-3", -3), ("9007199254740992", 1 << 53),
        ("9007199254740993", 1 << 53 + 1), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
    ])
    func `whole numbers are read exactly, and counts are at most 2^53`(text: String, value: Int) throws {
        let view = try parse(text)
        #expect(view.wholeNumber == value && view.int == (value.magnitude <= 1 << 53 ? value : nil))
    }

    @Test(arguments: [
        ("0.5", 0.5), ("1e3", 1000), ("-1.25E-2", -0.0125), ("9223372036854775808", 9.223372036854775808e18),
    ])
    func `other numbers are read as Double`(text: String, value: Double) throws {
        let view = try parse(text)
        #expect(view.double == value && view.wholeNumber == nil && view.int == nil)
    }

    @Test(arguments: [1, 2] as [UInt64])
    func `numbers are read as Swift reads them`(seed: UInt64) throws {
        print("JSON numbers, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let whole = String(Int64(bitPattern: random.next()) >> Int64.random(in: 0..<64, using: &random))
            let places = Int.random(in: 0...18, using: &random)
            let fraction = (0..<places).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let text = whole + (places > 0 ? ".\(fraction)" : "") + (random.once(in: 8) ? "e-3" : "")
            let view = try parse(text)
            #expect(view.wholeNumber == Int(text), "\(text)")
            #expect(view.double?.bitPattern == Double(text)?.bitPattern, "\(text)")
        }
    }

    /// The parser scans text in chunks of eight bytes, so each place in a chunk is tested.
    @Test(arguments: 0..<24)
    func `a byte that ends plain text is found at every place`(place: Int) throws {
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

    @Test func `nesting, the number of keys in the whole text and the number of bytes are bounded`() {
        func nested(_ depth: Int, _ open: String = "[", _ middle: String = "", _ close: String = "]") -> String {
            String(repeating: open, count: depth) + middle + String(repeating: close, count: depth)
        }
        #expect(code(nested(32)) == nil && code(nested(33)) == .tooDeep)
        #expect(code(nested(33, #"{"a":"#, "1", "}")) == .tooDeep)
        #expect(code("[" + nested(31) + "," + nested(31) + "]") == nil)
        #expect(code(String(repeating: "[", count: 60_000)) == .tooDeep)
        func object(_ keys: Int) -> String { "{" + (0..<keys).map { "\"\($0)\":0" }.joined(separator: ",") + "}" }
        #expect(code(object(1000)) == nil && code(object(1001)) == .tooManyKeys)
        #expect(code("[\(object(500)),\(object(501))]") == .tooManyKeys)
        func text(_ bytes: Int) -> String { "\"" + String(repeating: "a", count: bytes - 2) + "\"" }
        #expect(code(text(65_536)) == nil && code(text(65_537)) == .tooLarge)
        #expect(code(text(65_537), limits: .journal) == nil)
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xE2, 0x82],
            [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFF],
        ] as [[UInt8]])
    func `text that is not UTF-8 is refused`(bytes: [UInt8]) { #expect(code([0x22] + bytes + [0x22]) == .notUTF8) }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t\u00e9\u0000""#, "\"\\/\u{8}\u{C}\n\r\té\0"), (#""a\u0062c""#, "abc"),
        (#""\ud83d\ude00""#, "😀"), (#""\uD83D\uDE00!""#, "😀!"), (#""\ud83d""#, "\u{FFFD}"),
        (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\ud83dx\ude00""#, "\u{FFFD}x\u{FFFD}"),
        (
            "\"$£€😀\u{7FF}\u{800}\u{FFFF}\u{10FFFF}\u{D7FF}\u{E000}\"",
            "$£€😀\u{7FF}\u{800}\u{FFFF}\u{10FFFF}\u{D7FF}\u{E000}"
        ),
    ])
    func `escapes are decoded, and lone surrogates replaced`(json: String, text: String) throws {
        #expect(try parse(json).string == text)
    }

    @Test func `members are found whatever the whitespace, and the last duplicate wins`() throws {
        let view = try parse(" { \"a\" : [ 1 , \"]}\" , { } ] ,\n\"\\u0062\":null, \"a\\\"\":true,\"d\":1,\"d\":2 } ")
        #expect(view.members.map(\.name) == ["a", "b", "a\"", "d", "d"])
        #expect(view["a"]?.elements.map(\.kind) == [.number, .string, .object])
        #expect(view["a"]?.elements[1].string == "]}")
        #expect(view["b"]?.isNull == true && view["a\""]?.bool == true && view["d"]?.int == 2 && view["x"] == nil)
        #expect(view["a"]?.json.description == "[ 1 , \"]}\" , { } ]")
        #expect(view.json.bytes.first == UInt8(ascii: "{") && view.json.bytes.last == UInt8(ascii: "}"))
    }

    @Test func `a value is never read as another kind`() throws {
        let view = try parse("[1]")
        #expect(view.string == nil && view.int == nil && view.double == nil && view.bool == nil && view.members.isEmpty)
    }
}

/// A tree of JSON that makes written and read values comparable.
private indirect enum Tree: Equatable {
    case null, bool(Bool), int(Int), double(Double), string(String), array([Tree]), object([String: Tree])

    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.null()
        case .bool(let value): writer.bool(value)
        case .int(let value): writer.number(value)
        case .double(let value): writer.number(value)
        case .string(let value): writer.string(value)
        case .array(let elements):
            writer.beginArray()
            for element in elements { element.write(to: &writer) }
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for (name, value) in members {
                writer.name(named: name)
                value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    init(_ view: JSONView) {
        switch view.kind {
        case .null: self = .null
        case .bool: self = .bool(view.bool ?? false)
        case .number: self = view.wholeNumber.map { .int($0) } ?? .double(view.double ?? .nan)
        case .string: self = .string(view.string ?? "")
        case .array: self = .array(view.elements.map { Tree($0) })
        case .object:
            self = .object(Dictionary(view.members.map { ($0.name, Tree($0.value)) }, uniquingKeysWith: { $1 }))
        }
    }

    /// Reads the tree from front to back.
    init(_ cursor: inout JSONCursor, of view: JSONView) {
        switch cursor.kind {
        case .bool: self = .bool(cursor.bool() ?? false)
        case .string: self = .string(cursor.string() ?? "")
        case .array:
            var elements: [Tree] = []
            cursor.array { elements.append(Tree(&$0, of: view)) }
            self = .array(elements)
        case .object:
            var members: [String: Tree] = [:]
            cursor.object { members[$0.string] = Tree(&$1, of: view) }
            self = .object(members)
        case .null, .number: self = Tree(view.part(cursor.range()))
        }
    }

    init(depth: Int, using random: inout SeededRandom) {
        switch random.below(depth > 0 ? 7 : 5) {
        case 0: self = .null
        case 1: self = .bool(.random(using: &random))
        case 2: self = .int(Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random)))
        case 3: self = .double(Double.random(in: -1...1, using: &random) * 1e-3)
        case 4: self = .string(Tree.text(using: &random))
        case 5: self = .array((0..<random.below(5)).map { _ in Tree(depth: depth - 1, using: &random) })
        default:
            let all = (0..<random.below(5)).map { _ in
                (Tree.text(using: &random), Tree(depth: depth - 1, using: &random))
            }
            self = .object(Dictionary(all, uniquingKeysWith: { $1 }))
        }
    }

    private static func text(using random: inout SeededRandom) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x80...0xD7FF, 0xE000...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<random.below(12) {
            let code = UInt32.random(in: random.pick(ranges), using: &random)
            if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
        }
        return text
    }
}

@Suite("JSON that is written reads back unchanged") struct JSONRoundTripTests {
    @Test(arguments: [1, 2, 3, 20_260_302] as [UInt64])
    func `random trees survive a round trip`(seed: UInt64) throws {
        print("JSON round trip, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for turn in 0..<500 {
            let tree = Tree(depth: 4, using: &random)
            let json = JSON.make { tree.write(to: &$0) }
            let view = try JSONView(parsing: json.bytes)
            #expect(Tree(view) == tree, "seed \(seed), turn \(turn): \(json)")
            #expect(view.json == json)
            let inOrder = view.withCursor { Tree(&$0, of: view) }
            #expect(inOrder == tree, "front to back, seed \(seed), turn \(turn): \(json)")
        }
    }

    @Test(arguments: [6, 7] as [UInt64])
    func `a cursor skips the members that its reader ignores`(seed: UInt64) throws {
        print("JSON read in part, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for turn in 0..<500 {
            let tree = Tree(depth: 4, using: &random)
            let view = JSON.make { writer in
                writer.beginObject()
                writer.member("first", 1)
                writer.name("left")
                tree.write(to: &writer)
                writer.member("last", 2)
                writer.endObject()
            }.view
            var found: [String: Int?] = [:]
            view.withCursor { $0.object { if "first" ~= $0 || "last" ~= $0 { found[$0.string] = $1.int() } } }
            #expect(found == ["first": 1, "last": 2], "seed \(seed), turn \(turn): \(view.json)")
            #expect(view["last"]?.int == 2)
        }
    }

    @Test func `values that JSON does not have are written as null`() {
        #expect(JSON.number(.nan) == .null && JSON.number(.infinity) == .null)
        #expect(JSON.number(-9_223_372_036_854_775_808.0).view.double == -9_223_372_036_854_775_808.0)
        #expect([2.0, 0.1, 1e300].map { JSON.number($0).description } == ["2", "0.1", "1e+300"])
    }

    @Test func `a character that has to be escaped is, at each place of a text`() {
        for (place, length) in (1...20).flatMap({ length in (0..<length).map { ($0, length) } }) {
            let (before, after) = (
                String(repeating: "a", count: place), String(repeating: "b", count: length - place - 1)
            )
            for (character, escaped) in [
                ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1}", "\\u0001"), ("é", "é"),
            ] {
                #expect(JSON.string(before + character + after).description == "\"\(before)\(escaped)\(after)\"")
            }
        }
    }

    @Test func `control characters are escaped`() {
        #expect(JSON.string("\u{1}\n\"\\\u{1F}é").description == #""\u0001\n\"\\\u001fé""#)
        let object = JSON.object(["a\"": .array([.null, .bool(true)]), "b": .number(1)])
        #expect(object.description == #"{"a\"":[null,true],"b":1}"#)
    }
}

extension SeededRandom {
    fileprivate mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
