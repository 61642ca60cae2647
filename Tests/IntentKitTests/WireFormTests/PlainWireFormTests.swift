import IntentKit
import IntentModel
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("The wire form of plain values")
struct PlainWireFormTests {
    @Test("Bool")
    func bool() throws {
        try WireForm<Bool>(
            written: [(true, "true"), (false, "false")],
            said: [("yes", true), ("Yeah", true), ("1", true), ("no", false), (" OFF ", false)],
            refused: ["1", "null", #""maybe""#, "[]"], shown: [(true, "yes")]
        ).holds()
    }

    @Test("DateComponents: what is known of a date and a time, and nothing that no calendar has")
    func dateComponents() throws {
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
            ],
            shown: [
                (
                    DateComponents(year: 2026, month: 3, day: 6, hour: 18, minute: 30, weekday: 6),
                    "Friday 2026-03-06 18:30"
                )
            ]
        ).holds()
    }

    @Test("Int")
    func int() throws {
        try WireForm<Int>(
            written: [(0, "0"), (-7, "-7"), (.max, "9223372036854775807"), (.min, "-9223372036854775808")],
            read: [("2.0", 2), ("1e3", 1000)], said: [("12", 12), (" twenty-five ", 25)],
            refused: ["2.5", "1e30", "1e999999", "9223372036854775808", #""2.5""#, #""""#, "true", "{}"],
            shown: [(3, "3")]
        ).holds()
    }

    @Test("Double")
    func double() throws {
        try WireForm<Double>(
            written: [(0.1, "0.1"), (2, "2"), (-1e-9, "-1e-09"), (1e300, "1e+300")],
            read: [("2e0", 2)], said: [("3.5", 3.5), ("three", 3), ("1e3", 1000)],
            refused: ["1e999", "-1e999", #""nan""#, #""inf""#, #""0x10""#, #""3,5""#, #""1e999""#, "true"],
            shown: [(2, "2"), (2.5, "2.5")]
        ).holds()
    }

    @Test("Decimal")
    func decimals() throws {
        func decimal(_ text: String) throws -> Decimal { try #require(Decimal(string: text)) }
        let most = String(repeating: "9", count: 38)
        try WireForm<Decimal>(
            written: [
                (0, #""0""#), (try decimal("14.5"), #""14.5""#), (try decimal("-0.000001"), #""-0.000001""#),
                (try decimal(most), "\"\(most)\""), (try decimal("1e20"), #""100000000000000000000""#),
            ],
            read: [
                ("0.1", try decimal("0.1")), ("12345678901234567890.12", try decimal("12345678901234567890.12")),
                ("-0", 0),
                ("1.50e1", 15), (#""14.50""#, try decimal("14.5")), ("0e999", 0),
                ("1\(String(repeating: "0", count: 100))", try decimal("1e100")),
            ],
            said: [("+3", 3), ("three", 3), ("2.", 2), ("1E-2", try decimal("0.01"))],
            refused: [
                "1\(most)", "1e128", "1e-128", "1e99999", "1e9999999999999999999999", #""""#, #"".5""#, #""1e""#,
                #""1.2.3""#, #""nan""#,
                #""0x10""#,
                #""3,5""#, "\"\(String(repeating: "7", count: 10_000))\"", String(repeating: "7", count: 10_000),
                "true",
            ], shown: [(try decimal("14.50"), "14.5")]
        ).holds()
        #expect(JSON(Decimal.nan) == .null)
    }

    @Test("String")
    func string() throws {
        try WireForm<String>(
            written: [("", #""""#), ("a\"\\\u{1}é", #""a\"\\\u0001é""#)], refused: ["1", "true", "[]"],
            shown: [("tea", "tea")]
        ).holds()
    }

    @Test("Date")
    func date() throws {
        try WireForm<Date>(
            written: [
                (Date(timeIntervalSince1970: 0), #""1970-01-01T00:00:00Z""#),
                (Date(timeIntervalSince1970: 0.25), #""1970-01-01T00:00:00.250Z""#),
            ],
            said: [("1970-01-01 01:00:00+01:00", Date(timeIntervalSince1970: 0))],
            refused: ["0", #""tomorrow""#, #""1970-01-01""#, #""1970-02-30T00:00:00Z""#],
            shown: [(Date(timeIntervalSince1970: 0), "1970-01-01 00:00 UTC")]
        ).holds()
    }

    @Test("Duration")
    func duration() throws {
        try WireForm<Duration>(
            written: [(.seconds(5400), #""PT1H30M""#), (.milliseconds(-250), #""-PT0.25S""#), (.zero, #""PT0S""#)],
            said: [("90 minutes", .seconds(5400)), ("an hour and 5 mins", .seconds(3900)), ("P1D", .seconds(86_400))],
            refused: ["90", #""90""#, #""P1Y""#, #""PT99999999999999H""#],
            shown: [(.seconds(5400), "1 hour 30 minutes")]
        ).holds()
    }

    @Test("URL")
    func urls() throws {
        func url(_ text: String) throws -> URL { try #require(URL(string: text)) }
        try WireForm<URL>(
            written: [
                (try url("https://example.com/a?b=c#d"), #""https://example.com/a?b=c#d""#),
                (try url("mailto:kim@example.com"), #""mailto:kim@example.com""#),
            ],
            said: [(" tel:+353123 ", try url("tel:+353123"))],
            refused: [
                #""example.com""#, #""/menu""#, #""https://""#, #""https:///x""#, #""https://x.y/a b""#,
                #""https://münchen.de/""#,
                #""https://x.y/%zz""#,
                #""tel:""#, #""http://[::1""#, "\"https://x.y/\(String(repeating: "a", count: 2_048))\"", "{}",
            ], shown: [(try url("https://example.com"), "https://example.com")]
        ).holds()
    }

    @Test("a day")
    func calendarDate() throws {
        let leapDay = try #require(CalendarDate(year: 2028, month: 2, day: 29))
        try WireForm<CalendarDate>(
            written: [(leapDay, #""2028-02-29""#)], said: [(" 2028-02-29 ", leapDay)],
            refused: [
                #""2027-02-29""#, #""2028-2-29""#, #""2028-13-01""#, #""0000-01-01""#, #""2028-02-29T10:00:00Z""#,
                "20280229",
            ],
            shown: [(leapDay, "2028-02-29")]
        ).holds()
        #expect(CalendarDate.jsonSchema.description == #"{"type":"string","format":"date"}"#)
        #expect(try #require(CalendarDate(year: 2028, month: 2, day: 28)) < leapDay)
    }

    @Test("a time of day")
    func timeOfDay() throws {
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

    @Test("an enumeration")
    func enumeration() throws {
        try WireForm<Leaf>(
            written: [(.assam, #""assam""#), (.pouchong, #""pouchong""#)],
            said: [("Bāozhǒng", .pouchong), ("green TEA", .sencha), ("Assam!", .assam)],
            refused: ["1", #""tea""#, "{}"], shown: [(.pouchong, "Bāozhǒng")]
        ).holds()
        #expect(
            Leaf.jsonSchema.description
                == #"{"type":"string","oneOf":[{"const":"sencha","title":"Sencha"},{"const":"assam","title":"Assam"},{"const":"pouchong","title":"Bāozhǒng"}]}"#
        )
    }

    @Test("the schemas of plain values")
    func schemas() {
        #expect(Bool.jsonSchema.description == #"{"type":"boolean"}"#)
        #expect(Int.jsonSchema.description == #"{"type":"integer"}"#)
        #expect(Double.jsonSchema.description == #"{"type":"number"}"#)
        #expect(String.jsonSchema.description == #"{"type":"string"}"#)
        #expect(Date.jsonSchema.description == #"{"type":"string","format":"date-time"}"#)
        #expect(Duration.jsonSchema.description == #"{"type":"string","format":"duration"}"#)
        #expect([Int].jsonSchema.description == #"{"type":"array","items":{"type":"integer"}}"#)
        #expect(Set<Int>.jsonSchema.description == #"{"type":"array","items":{"type":"integer"},"uniqueItems":true}"#)
    }
}
