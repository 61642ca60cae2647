import IntentEvents
import RecordLog

/// The edits of a part of an event, a header, a key, or a record as a whole.
enum HostileTables {
    typealias Named<Value> = (name: String, value: Value)

    private static func escape(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value, radix: 16)
        return "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    private static func deep(_ open: String, _ close: String, _ depth: Int) -> String {
        String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
    }

    /// Replacements of a value.
    static let values: [Named<Bytes>] = {
        let texts = [
            "null", "true", "false", "0", "-1", "-0", "7", "1.5", "1e999", "-1e999", "1e-999", "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "9007199254740993", "4294967296",
            String(repeating: "9", count: 300), "NaN", "Infinity", "-Infinity", "0x10", "01", "+1", ".5", "1.", "'a'",
            "undefined",
            #""""#, #"" ""#, #""NaN""#, #""-1""#, #""null""#, #""true""#, #""\u0000""#, #""a\u001b[2J\r\nb""#,
            #""\u202ea\u2066b""#,
            #""\ud800""#, #""\udc00\ud800""#, #""\uFFFE\uFFFF""#, #""\x""#, #""$fence/9/x""#, #""../../etc/passwd""#,
            #""%s%n${HOME}""#,
            #""1970-01-01T00:00:00Z""#, #""0000-00-00T00:00:00Z""#, #""9999-12-31T23:59:60Z""#,
            #""+292278994-08-17T07:12:55.807Z""#,
            #""2026-02-30T25:61:61+99:99""#, #""P999999999999Y""#, #""handle""#, #""accept""#, #""system""#,
            #""success""#,
            #""000102030405060708090a0b0c0d0e0f""#, "[]", "[null]", "[[],{},\"\",0]", "{}", #"{"":null}"#,
            #"{"secret":true,"value":1}"#,
            #"{"state":"chosen","value":{"id":"x"}}"#, #"{"a":1,"a":2}"#, deep("[", "]", 31), deep("[", "]", 40),
            deep("[", "]", 2_000),
            deep(#"{"a":"#, "}", 31), deep(#"{"a":"#, "}", 70),
            "[\(Array(repeating: "0", count: 2_000).joined(separator: ","))]",
            "{\((0..<1_100).map { "\"k\($0)\":0" }.joined(separator: ","))}",
            "\"\(String(repeating: "x", count: 600))\"",
            "\"\(String(repeating: "é", count: 5_000))\"", "\"unfinished", "{\"unfinished\":", "", " ", "/**/1",
            "\u{FEFF}1",
        ]
        let invalid: [Bytes] = [
            [0x22, 0xFF, 0xFE, 0x22], [0x22, 0xC3, 0x28, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22],
            [0x22, 0x00, 0x22], [0x22, 0x0A, 0x22], [0x00],
        ]
        let named = texts.map { text -> Named<Bytes> in (String(text.prefix(24)), Bytes(text.utf8)) }
        return named + invalid.map { bytes -> Named<Bytes> in ("bytes \(bytes)", bytes) }
    }()

    static let valuesByKind = Dictionary(grouping: values) { kind(of: $0.value) }

    /// Returns the first letter of a JSON text; `0` for any number.
    static func kind(of text: Bytes) -> UInt8 {
        let first = text.first ?? 0
        return 0x30...0x39 ~= first || first == UInt8(ascii: "-") ? UInt8(ascii: "0") : first
    }

    /// Edits of a member, except edits of its value.
    static let members: [Named<@Sendable (inout [HostileMembers.Member], Int) -> Void>] = [
        ("missing", { $0.remove(at: $1) }), ("twice", { $0.append($0[$1]) }),
        ("twice, then null", { $0.append(.init(name: $0[$1].name, value: Bytes("null".utf8))) }),
        ("first null, then itself", { $0.insert(.init(name: $0[$1].name, value: Bytes("null".utf8)), at: 0) }),
        ("in capitals", { $0[$1].name = $0[$1].name.uppercased() }),
        (
            "with its name escaped",
            { $0[$1].name = $0[$1].name.unicodeScalars.map(escape).joined() }
        ),
        ("with a zero in its name", { $0[$1].name += "\\u0000" }), ("without a name", { $0[$1].name = "" }),
        ("with a space in its name", { $0[$1].name = " " + $0[$1].name }),
        (
            "as a text",
            { $0[$1].value = Bytes("\"".utf8) + $0[$1].value.filter { $0 != 0x22 } + Bytes("\"".utf8) }
        ),
        ("in a list", { $0[$1].value = Bytes("[".utf8) + $0[$1].value + Bytes("]".utf8) }),
        ("in an object", { $0[$1].value = Bytes("{\"\($0[$1].name)\":".utf8) + $0[$1].value + Bytes("}".utf8) }),
        ("twenty times", { for _ in 1..<20 { $0.append($0[$1]) } }),
    ]

    /// Replacements of a header's value; `nil` for a header without a value.
    static let headers: [Named<Bytes?>] = {
        let texts: [String] = [
            "", " ", "x", "0", "-1", "null", "NaN", "18446744073709551616", "intent.requested.v0",
            "intent.requested.v2",
            "intent.requested.v18446744073709551616", "INTENT.REQUESTED.V1", "intent.requested", ".v1", "a\u{0}b",
            "a\r\nb\u{1B}[2J",
            "\u{202E}a", "application/cloudevents+json", "application/cloudevents-batch+json",
            "APPLICATION/CLOUDEVENTS", "text/plain",
            "app_user", "service_account", "system", "unauthenticated", "unknown", "nobody", "ann@example.com",
            "1970-01-01T00:00:00Z",
            "9999-12-31T23:59:59Z", "00-00000000000000000000000000000000-0000000000000000-00",
            "epoch=0 owner=x number=1", "epoch=-1", String(repeating: "x", count: 300),
            String(repeating: "é", count: 8_000),
            String(repeating: "x", count: 40_000),
        ]
        let named = (texts + EventType.allCases.map(\.rawValue)).map { text -> Named<Bytes?> in
            (String(text.prefix(24)), Bytes(text.utf8))
        }
        let others: [Named<Bytes?>] = [
            ("bytes FF FE", [0xFF, 0xFE]), ("bytes C3 28", [0xC3, 0x28]), ("no value", nil),
        ]
        return named + others
    }()

    /// Headers that events have, or that a sender may believe they have.
    static let headerNames = [
        "ce_id", "ce_type", "ce_source", "ce_specversion", "ce_time", "ce_subject", "content-type", "traceparent",
        "tracestate",
        "ce_authtype",
        "ce_authid", "intents-journal", "intents-error-topic", "intents-error-partition", "intents-error-offset",
        "intents-dead-letter",
        "CE_ID",
        "CE_TYPE", "", "ce_",
    ]

    /// Replacements of a record's key; `nil` for a record without a key.
    static let keys: [Named<Bytes?>] = {
        let texts = [
            "", " ", "$", "$positions", "$fence/9/x", "\u{0}", "a\nb", "\u{7F}", "\u{202E}a", "\u{FEFF}", "\u{FFFD}",
            ".", "/", "%",
        ]
        let named = texts.map { text -> Named<Bytes?> in ("'\(text)'", Bytes(text.utf8)) }
        let long = [128, 129, 10_000].map { count -> Named<Bytes?> in
            ("of \(count) bytes", Bytes(repeating: 0x61, count: count))
        }
        let others: [Named<Bytes?>] = [
            ("absent", nil), ("C3 28", [0xC3, 0x28]), ("FF", [0xFF]), ("ED A0 80", [0xED, 0xA0, 0x80]),
            ("F4 90 80 80", [0xF4, 0x90, 0x80, 0x80]),
        ]
        return named + long + others
    }()

    /// Timestamps of records, in milliseconds since 1970.
    static let times: [Int64] = [
        .min + 1, -9_223_118_634_554_000_000, -62_167_219_200_001, -2, -1, 0, 1, 1_000, 4_102_444_800_000,
        253_402_300_800_000,
        9_007_199_254_740_993, .max,
    ]

    /// Replacements of a record's value.
    static let wholes: [Named<Whole>] = otherWholes + cut + turned

    /// A function that makes another value of a record's value.
    typealias Whole = @Sendable (Bytes) -> Bytes?

    private static let otherWholes: [Named<Whole>] = [
        ("a tombstone", { _ in nil }), ("nothing", { _ in [] }), ("a space", { _ in [0x20] }), ("a zero", { _ in [0] }),
        ("null", { _ in Bytes("null".utf8) }), ("a number", { _ in Bytes("1".utf8) }),
        ("a text", { _ in Bytes("\"x\"".utf8) }),
        ("a list", { Bytes("[".utf8) + $0 + Bytes("]".utf8) }), ("an empty object", { _ in Bytes("{}".utf8) }),
        ("twice", { $0 + $0 }), ("two lines", { $0 + [0x0A] + $0 }), ("with a comma behind it", { $0 + [0x2C] }),
        ("with a zero behind it", { $0 + [0] }), ("with a byte order mark", { [0xEF, 0xBB, 0xBF] + $0 }),
        ("as UTF-16", { $0.flatMap { [$0, 0] } }),
        ("as a text of JSON", { [0x22] + $0.flatMap { $0 == 0x22 ? [0x5C, 0x22] : [$0] } + [0x22] }),
        ("without quotes", { $0.filter { $0 != 0x22 } }),
        ("with quotes of another kind", { $0.map { $0 == 0x22 ? 0x27 : $0 } }),
        ("without its last byte", { $0.dropLast() }), ("without its first byte", { Bytes($0.dropFirst()) }),
        ("backwards", { $0.reversed() }), ("a gzip file", { [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3] + $0 }),
        ("behind 70,000 spaces", { Bytes(repeating: 0x20, count: 70_000) + $0 }),
        ("before 300,000 spaces", { $0 + Bytes(repeating: 0x20, count: 300_000) }),
        (
            "in 70 objects",
            { value in
                Bytes(String(repeating: #"{"data":"#, count: 70).utf8) + value
                    + Bytes(String(repeating: "}", count: 70).utf8)
            }
        ),
        ("in data", { Bytes(#"{"data":"#.utf8) + $0 + Bytes("}".utf8) }),
        (
            "in data that is a text",
            { _ in Bytes(#"{"specversion":"1.0","type":"intent.requested.v1","id":"s","source":"/x","data":"{}"}"#.utf8)
            }
        ),
        (
            "in data_base64",
            { _ in Bytes(#"{"specversion":"1.0","type":"intent.requested.v1","id":"s","data_base64":"e30="}"#.utf8) }
        ),
        (
            "structured, without type",
            { Bytes(#"{"specversion":"1.0","id":"s","source":"/x","data":"#.utf8) + $0 + Bytes("}".utf8) }
        ),
        (
            "structured, without id",
            { Bytes(#"{"specversion":"1.0","type":"intent.requested.v1","data":"#.utf8) + $0 + Bytes("}".utf8) }
        ),
        (
            "structured, without data",
            { _ in Bytes(#"{"specversion":"1.0","id":"s","type":"intent.requested.v1"}"#.utf8) }
        ),
        (
            "structured, with half a principal",
            {
                Bytes(#"{"id":"s","type":"intent.requested.v1","authtype":"app_user","data":"#.utf8) + $0
                    + Bytes("}".utf8)
            }
        ),
        (
            "structured, of another version",
            { Bytes(#"{"id":"s","type":"intent.requested.v9","data":"#.utf8) + $0 + Bytes("}".utf8) }
        ),
    ]

    private static let cut: [Named<Whole>] = (1...15).map { sixteenth in
        let cut: Whole = { Bytes($0.prefix($0.count * sixteenth / 16)) }
        return ("cut after \(sixteenth)/16", cut)
    }

    private static let turned: [Named<Whole>] = (0..<24).map { place in
        let turned: Whole = { value in
            var value = value
            if !value.isEmpty { value[value.count * place / 24] ^= 0x20 | UInt8(place) }
            return value
        }
        return ("with a bit turned near \(place)/24", turned)
    }

    /// Edits of the headers as a whole.
    static let floods: [Named<@Sendable ([RecordHeader]) -> [RecordHeader]>] = [
        ("no headers", { _ in [] }), ("all headers twice", { $0 + $0 }), ("the headers backwards", { $0.reversed() }),
        ("64 more headers", { headers in headers + (0..<64).map { RecordHeader("x-\($0)", "x") } }),
        ("1,000 more headers", { headers in headers + (0..<1_000).map { RecordHeader("x-\($0)", "x") } }),
        ("a header of 120,000 bytes", { $0 + [RecordHeader("x", String(repeating: "x", count: 120_000))] }),
        ("a name of a header of 30,000 bytes", { $0 + [RecordHeader(String(repeating: "x", count: 30_000), "x")] }),
        (
            "structured",
            { $0.filter { $0.name != "content-type" } + [RecordHeader("content-type", "application/cloudevents+json")] }
        ),
        (
            "structured, without other headers",
            { _ in [RecordHeader("content-type", "application/cloudevents+json; charset=UTF-8")] }
        ),
        ("half a principal", { $0 + [RecordHeader("ce_authtype", "app_user")] }),
        ("the other half", { $0 + [RecordHeader("ce_authid", "ann@example.com")] }),
        (
            "another principal",
            { $0 + [RecordHeader("ce_authtype", "app_user"), RecordHeader("ce_authid", "mallory@example.com")] }
        ),
        ("the system", { $0 + [RecordHeader("ce_authtype", "system")] }),
        (
            "two principals",
            { headers in
                headers
                    + ["ann", "bob"].flatMap {
                        [RecordHeader("ce_authtype", "app_user"), RecordHeader("ce_authid", $0)]
                    }
            }
        ),
    ]
}
