import Foundation
import IntentKit
import IntentModel
import PipelineTestKit
import Testing

import struct IntentKit.Measurement
import enum IntentKit.UnitLength

@Suite("The wire form of plain values") struct PlainWireFormTests {
    @Test func `a Bool`() throws {
        try WireForm<Bool>(
            written: [(true, "true"), (false, "false")],
            said: [
                ("yes", true), ("Yeah", true), ("1", true), ("true", true), (" OK ", true), ("no", false),
                ("Nope", false), (" OFF ", false),
            ], refused: ["1", "null", #""maybe""#, "[]"], shown: [(true, "yes")]
        ).holds()
    }

    @Test func `DateComponents: what is known of a date and a time, and nothing that no calendar has`() throws {
        let friday = DateComponents(year: 2026, month: 3, day: 6, hour: 18, minute: 30, weekday: 6)
        try WireForm<DateComponents>(
            written: [
                (DateComponents(month: 2, day: 29), #"{"month":2,"day":29}"#),
                (DateComponents(hour: 6, weekday: 6), #"{"weekday":6,"hour":6}"#),
            ],
            said: [
                ("2026-03-02", DateComponents(year: 2026, month: 3, day: 2)),
                ("18:30", DateComponents(hour: 18, minute: 30)),
                ("2026-03-02 18:30", DateComponents(year: 2026, month: 3, day: 2, hour: 18, minute: 30)),
            ],
            refused: [
                #"{"month":2,"day":30}"#, #"{"month":13}"#, "{}", "7", #""soon""#, #"{"year":2026,"month":2,"day":29}"#,
            ], shown: [(friday, "Friday 2026-03-06 18:30")]
        ).holds()
    }

    @Test func `an Int`() throws {
        try WireForm<Int>(
            written: [(0, "0"), (-7, "-7"), (.max, "9223372036854775807"), (.min, "-9223372036854775808")],
            read: [("2.0", 2), ("1e3", 1000)], said: [("12", 12), (" twenty-five ", 25), ("-3", -3)],
            refused: [
                "2.5", "1e30", "1e999999", "9223372036854775808", #""2.5""#, #""""#, #""99999999999999999999""#,
                #""twenty ten""#, "true", "{}",
            ], shown: [(3, "3")]
        ).holds()
    }

    @Test func `a Double`() throws {
        try WireForm<Double>(
            written: [(0.1, "0.1"), (2, "2"), (-1e-9, "-1e-09"), (1e300, "1e+300")], read: [("2e0", 2)],
            said: [("3.5", 3.5), ("three", 3), ("1e3", 1000)],
            refused: ["1e999", "-1e999", #""nan""#, #""inf""#, #""0x10""#, #""3,5""#, #""1e999""#, "true"],
            shown: [(2, "2"), (2.5, "2.5")]
        ).holds()
    }

    @Test func `a Decimal`() throws {
        func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }
        let most = String(repeating: "9", count: 38)
        let (long, digits) = ("12345678901234567890.12", String(repeating: "7", count: 10_000))
        try WireForm<Decimal>(
            written: [
                (0, #""0""#), (try decimal("14.5"), #""14.5""#), (try decimal("-0.000001"), #""-0.000001""#),
                (try decimal(most), "\"\(most)\""), (try decimal("1e20"), #""100000000000000000000""#),
            ],
            read: [
                ("0.1", try decimal("0.1")), (long, try decimal(long)), ("-0", 0), ("1.50e1", 15), ("0e999", 0),
                (#""14.50""#, try decimal("14.5")), ("1\(String(repeating: "0", count: 100))", try decimal("1e100")),
            ], said: [("+3", 3), ("three", 3), ("2.", 2), ("1E-2", try decimal("0.01"))],
            refused: [
                "1\(most)", "1e128", "1e-128", "1e99999", "1e9999999999999999999999", #""""#, #"".5""#, #""1e""#,
                #""1.2.3""#, #""nan""#, #""0x10""#, #""3,5""#, "\"\(digits)\"", digits, "true",
            ], shown: [(try decimal("14.50"), "14.5")]
        ).holds()
        #expect(JSON(Decimal.nan) == .null)
    }

    @Test func `a String`() throws {
        try WireForm<String>(
            written: [("", #""""#), ("a\"\\\u{1}é", #""a\"\\\u0001é""#)], refused: ["1", "true", "[]"],
            shown: [("tea", "tea")]
        ).holds()
    }

    @Test func `a Date`() throws {
        func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
        try WireForm<Date>(
            written: [
                (date(0), #""1970-01-01T00:00:00Z""#), (date(0.25), #""1970-01-01T00:00:00.250Z""#),
                (date(-1), #""1969-12-31T23:59:59Z""#), (date(951_782_400), #""2000-02-29T00:00:00Z""#),
                (date(1_772_476_200.125), #""2026-03-02T18:30:00.125Z""#),
            ],
            said: [
                ("1970-01-01 01:00:00+01:00", date(0)), ("2026-03-02T19:30:00+01:00", date(1_772_476_200)),
                ("2024-02-29 12:00:00.5z", date(1_709_208_000.5)), ("2016-12-31T23:59:60Z", date(1_483_228_800)),
            ],
            refused: [
                "0", #""tomorrow""#, #""1970-01-01""#, #""2026-03-02T18:30:00""#, #""1970-02-30T00:00:00Z""#,
                #""2026-02-29T00:00:00Z""#, #""2026-13-01T00:00:00Z""#, #""0000-01-01T00:00:00Z""#,
            ], shown: [(date(0), "1970-01-01 00:00 UTC")]
        ).holds()
    }

    @Test func `a Duration`() throws {
        try WireForm<Duration>(
            written: [
                (.seconds(5400), #""PT1H30M""#), (.milliseconds(250), #""PT0.25S""#),
                (.milliseconds(-250), #""-PT0.25S""#), (.zero, #""PT0S""#), (.seconds(-90), #""-PT1M30S""#),
                (.seconds(400_000_000_000) + .nanoseconds(1), #""PT111111111H6M40.000000001S""#),
            ],
            said: [
                ("90 minutes", .seconds(5400)), ("an hour and 5 mins", .seconds(3900)), ("P1D", .seconds(86_400)),
                ("P1DT12H", .seconds(129_600)), ("P2W", .seconds(1_209_600)), ("PT0.5S", .milliseconds(500)),
            ],
            refused: [
                "90", #""90""#, #""P""#, #""PT""#, #""P1Y""#, #""PT5""#, #""PT1M1H""#, #""minutes 5""#,
                #""-5 minutes""#, #""PT99999999999999H""#,
            ], shown: [(.seconds(5400), "1 hour 30 minutes")]
        ).holds()
    }

    @Test func `a URL`() throws {
        func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
        try WireForm<URL>(
            written: [
                (try url("https://example.com/a?b=c#d"), #""https://example.com/a?b=c#d""#),
                (try url("mailto:kim@example.com"), #""mailto:kim@example.com""#),
            ], said: [(" tel:+353123 ", try url("tel:+353123"))],
            refused: [
                #""example.com""#, #""/menu""#, #""https://""#, #""https:///x""#, #""https://x.y/a b""#,
                #""https://münchen.de/""#, #""https://x.y/%zz""#, #""tel:""#, #""http://[::1""#,
                "\"https://x.y/\(String(repeating: "a", count: 2_048))\"", "{}",
            ], shown: [(try url("https://example.com"), "https://example.com")]
        ).holds()
    }

    @Test func `a day`() throws {
        let leapDay = try #require(CalendarDate(year: 2028, month: 2, day: 29))
        try WireForm<CalendarDate>(
            written: [(leapDay, #""2028-02-29""#)], said: [(" 2028-02-29 ", leapDay)],
            refused: [
                #""2027-02-29""#, #""2028-2-29""#, #""2028-13-01""#, #""0000-01-01""#, #""2028-02-29T10:00:00Z""#,
                "20280229",
            ], shown: [(leapDay, "2028-02-29")]
        ).holds()
        #expect(CalendarDate.jsonSchema.description == #"{"type":"string","format":"date"}"#)
        #expect(try #require(CalendarDate(year: 2028, month: 2, day: 28)) < leapDay)
    }

    @Test func `a time of day`() throws {
        let evening = try #require(TimeOfDay(hour: 18, minute: 30))
        let exact = try #require(TimeOfDay(hour: 18, minute: 30, second: 5))
        try WireForm<TimeOfDay>(
            written: [(evening, #""18:30""#), (exact, #""18:30:05""#)],
            said: [(" 18:30 ", evening), ("18:30:00", evening)],
            refused: [#""24:00""#, #""18:60""#, #""8:30""#, #""18:30Z""#, #""half six""#, "1830"],
            shown: [(evening, "18:30"), (exact, "18:30:05")]
        ).holds()
        #expect(evening < exact)
    }

    @Test func `an enumeration`() throws {
        try WireForm<Leaf>(
            written: [(.assam, #""assam""#), (.pouchong, #""pouchong""#)],
            said: [("Bāozhǒng", .pouchong), ("baozhong", .pouchong), ("green TEA", .sencha), ("Assam!", .assam)],
            refused: ["1", #""tea""#, "{}"], shown: [(.pouchong, "Bāozhǒng")]
        ).holds()
        let cases: JSON = [
            ["const": "sencha", "title": "Sencha"], ["const": "assam", "title": "Assam"],
            ["const": "pouchong", "title": "Bāozhǒng"],
        ]
        #expect(Leaf.jsonSchema == ["type": "string", "oneOf": cases])
    }

    @Test func `a file that imports Foundation too can choose IntentKit's Measurement`() {
        #expect(JSON(Measurement<UnitLength>(value: 5, unit: .kilometers)).description == #"{"value":5,"unit":"km"}"#)
    }

    @Test func `the schemas of plain values`() {
        #expect(Bool.jsonSchema == ["type": "boolean"])
        #expect(Int.jsonSchema == ["type": "integer"])
        #expect(Double.jsonSchema == ["type": "number"])
        #expect(String.jsonSchema == ["type": "string"])
        #expect(Date.jsonSchema == ["type": "string", "format": "date-time"])
        #expect(Duration.jsonSchema == ["type": "string", "format": "duration"])
        #expect([Int].jsonSchema == ["type": "array", "items": ["type": "integer"]])
        #expect(Set<Int>.jsonSchema == ["type": "array", "items": ["type": "integer"], "uniqueItems": true])
    }

    @Test func `case, accents and punctuation don't matter when words are compared`() {
        #expect(TextFolding.fold("  Dún  Laoghaire! ") == "dun laoghaire")
        #expect(TextFolding.fold("St. Stephen’s-Green") == "st stephens green")
        #expect(TextFolding.fold("Straße Ærø Łódź Ồ e\u{301}") == "strasse aero lodz o e")
        #expect(TextFolding.fold("ΑΘΗΝΑ") == "αθηνα")
        // A character of another script is folded by another way, which takes longer.
        for scalar in (0x1...0x250).compactMap({ Unicode.Scalar($0 as UInt32) }) {
            let text = "a\(Character(scalar))b \(Character(scalar))'.\(Character(scalar))x"
            #expect(TextFolding.fold(text + "中") == TextFolding.fold(text) + "中", "U+\(scalar.value)")
        }
        // Capital letters whose Unicode names say less than the names of their small letters.
        #expect(TextFolding.fold("STRA\u{1E9E}E") == "strasse")
        #expect(TextFolding.fold("\u{1F6}") == TextFolding.fold("\u{195}"))
    }
}

@Suite("The wire form of lists") struct ListWireFormTests {
    @Test func `an array`() throws {
        try WireForm<[Int]>(
            written: [([], "[]"), ([3, 1, 3], "[3,1,3]")], read: [(#"["three", 2.0, 1]"#, [3, 2, 1])],
            said: [
                ("3", [3]), ("1, 2 and 3", [1, 2, 3]), ("1 & 2", [1, 2]), ("one; two\nthree", [1, 2, 3]),
                ("1 and 2,", [1, 2]),
            ], refused: ["3", "[1,null]", "[1,[2]]", "[2.5]", #"["x"]"#, #""1, x""#, #""""#, #"",""#, #""and""#, "{}"],
            shown: [([], ""), ([1], "1"), ([1, 2], "1 and 2"), ([1, 2, 3], "1, 2 and 3")]
        ).holds()
        try WireForm<[[Int]]>(written: [([[1], [2, 3]], "[[1],[2,3]]")], read: [(#"[["1"],2]"#, [[1], [2]])]).holds()
    }

    @Test func `an array of text`() throws {
        // Outside of a resolution, text is not split if the element type accepts any text. ListResolutionTests has the
        // rules for parameters.
        try WireForm<[String]>(
            written: [(["a, b", "c"], #"["a, b","c"]"#)], read: [("[1,true]", ["1", "true"])],
            said: [("milk and tea", ["milk and tea"])]
        ).holds()
        let people = [Person(displayName: "Kim"), Person(displayName: "Lee")]
        try WireForm<[Person]>(
            written: [(people, #"[{"name":"Kim"},{"name":"Lee"}]"#)], read: [(#"["Kim",{"name":"Lee"}]"#, people)],
            refused: ["[1]", #"[""]"#], shown: [(people, "Kim and Lee")]
        ).holds()
    }

    @Test func `a set`() throws {
        try WireForm<Set<Int>>(
            written: [([10, 9, 2], "[2,9,10]"), ([], "[]")], read: [("[2,2,1]", [1, 2])], said: [("1 and 1", [1])],
            refused: ["1", "[null]"], shown: [([3, 1, 2], "1, 2 and 3")]
        ).holds()
        try WireForm<Set<Leaf>>(
            written: [([.sencha, .assam], #"["assam","sencha"]"#)],
            said: [("green tea and black tea", [.sencha, .assam])], refused: [#""green tea and tea""#]
        ).holds()
        let words = ["kettle", "pot", "cup", "tray", "spoon", "whisk"]
        #expect(Set(words).optionID == Set(words.reversed()).optionID, "equal sets have the same option id")
    }
}
