import IntentModel
import PipelineTestKit
import Testing

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
        switch Int.random(in: 0..<(depth > 0 ? 7 : 5), using: &random) {
        case 0: self = .null
        case 1: self = .bool(.random(using: &random))
        case 2: self = .int(Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random)))
        case 3: self = .double(Double.random(in: -1...1, using: &random) * 1e-3)
        case 4: self = .string(Tree.text(using: &random))
        case 5:
            self = .array(
                (0..<Int.random(in: 0..<5, using: &random)).map { _ in Tree(depth: depth - 1, using: &random) })
        default:
            let members = (0..<Int.random(in: 0..<5, using: &random)).map { _ in
                (Tree.text(using: &random), Tree(depth: depth - 1, using: &random))
            }
            self = .object(Dictionary(members, uniquingKeysWith: { $1 }))
        }
    }

    private static func text(using random: inout SeededRandom) -> String {
        let ranges: [ClosedRange<UInt32>] = [
            0...0x1F, 0x20...0x7E, 0x20...0x7E, 0x22...0x22, 0x5C...0x5C, 0x80...0xD7FF, 0xE000...0x10FFFF,
        ]
        var text = ""
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            let range = ranges.randomElement(using: &random) ?? 0x20...0x7E
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
}

@Suite("JSON that is written reads back unchanged")
struct JSONRoundTripTests {
    @Test("random trees survive a round trip", arguments: [1, 2, 3, 20_260_302] as [UInt64])
    func randomTrees(seed: UInt64) throws {
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

    @Test("what a reader from front to back leaves alone is passed over", arguments: [6, 7] as [UInt64])
    func passingOver(seed: UInt64) throws {
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
            view.withCursor { cursor in
                cursor.object { name, value in
                    switch name {
                    case "first", "last": found[name.string] = value.int()
                    default: break
                    }
                }
            }
            #expect(found == ["first": 1, "last": 2], "seed \(seed), turn \(turn): \(view.json)")
            #expect(view.member("last")?.int == 2)
        }
    }

    /// Any bytes result in a value or an error, never in a trap.
    @Test("damaged text is read or refused, and never traps", arguments: [4, 5] as [UInt64])
    func damagedTexts(seed: UInt64) throws {
        print("damaged JSON, seed \(seed)")
        var random = SeededRandom(seed: seed)
        for _ in 0..<2000 {
            let tree = Tree(depth: 3, using: &random)
            var bytes = JSON.make { tree.write(to: &$0) }.bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
                case 1: bytes.insert("\"\\{}[],:0".utf8.randomElement(using: &random) ?? 0, at: index)
                default: if bytes.count > 1 { bytes.remove(at: index) }
                }
            }
            guard let view = try? JSONView(parsing: bytes) else { continue }
            _ = Tree(view)
        }
    }

    @Test("values that JSON does not have are written as null")
    func notInJSON() {
        #expect(JSON.number(.nan) == .null && JSON.number(.infinity) == .null)
        #expect(JSON.number(-9_223_372_036_854_775_808.0).view.double == -9_223_372_036_854_775_808.0)
        #expect(
            JSON.number(2.0).description == "2" && JSON.number(0.1).description == "0.1"
                && JSON.number(1e300).description == "1e+300")
    }

    @Test("control characters are escaped")
    func controlCharacters() {
        #expect(JSON.string("\u{1}\n\"\\\u{1F}é").description == #""\u0001\n\"\\\u001fé""#)
        #expect(
            JSON.object(["a\"": .array([.null, .bool(true)]), "b": .number(1)]).description
                == #"{"a\"":[null,true],"b":1}"#)
    }
}
