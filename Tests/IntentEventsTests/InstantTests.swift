import Conversation
import PipelineTestKit
import Testing

@Suite("Instants as text") struct InstantTests {
    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1, "1970-01-01T00:00:00.001Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_000, "2000-02-29T00:00:00.000Z"), (1_709_164_800_000, "2024-02-29T00:00:00.000Z"),
            (-2_203_977_600_000, "1900-02-28T00:00:00.000Z"), (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
            (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
            (1_772_366_400_250, "2026-03-01T12:00:00.250Z"),
        ] as [(Int64, String)])
    func `an instant is written as RFC 3339 in UTC, with milliseconds`(_ milliseconds: Int64, _ text: String) {
        #expect(Instant(milliseconds: milliseconds).description == text)
        #expect(Instant(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test func `any instant of the years 0 to 9999 is read back from its text`() {
        let seed: UInt64 = 19_700_101
        var random = SeededRandom(seed: seed)
        for _ in 0..<5_000 {
            let instant = Instant(milliseconds: .random(in: -62_167_219_200_000...253_402_300_799_999, using: &random))
            #expect(Instant(rfc3339: instant.description) == instant, "seed \(seed)")
        }
    }

    @Test(arguments: [
        ("2026-03-01T12:00:00Z", "2026-03-01T12:00:00.000Z"), ("2026-03-01t12:00:00z", "2026-03-01T12:00:00.000Z"),
        ("2026-03-01T12:00:00+02:00", "2026-03-01T10:00:00.000Z"),
        ("2026-03-01T00:30:00+05:45", "2026-02-28T18:45:00.000Z"),
        ("2025-12-31T23:00:00-01:30", "2026-01-01T00:30:00.000Z"),
        ("2026-03-01T12:00:00.5Z", "2026-03-01T12:00:00.500Z"),
        ("2026-03-01T12:00:00.05Z", "2026-03-01T12:00:00.050Z"),
        ("2026-03-01T12:00:00.123999+00:00", "2026-03-01T12:00:00.123Z"),
        ("1969-07-20T20:17:40Z", "1969-07-20T20:17:40.000Z"), ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z"),
        ("2017-01-01T00:59:60+01:00", "2017-01-01T00:00:00.000Z"),
        ("2026-03-01T12:00:00-00:00", "2026-03-01T12:00:00.000Z"),
    ])
    func `offsets, lower-case letters, and missing and long fractions are read`(_ text: String, _ expected: String) {
        #expect(Instant(rfc3339: text)?.description == expected)
    }

    @Test(arguments: [
        ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59.999Z"),
        ("9999-12-31T23:59:60Z", "9999-12-31T23:59:59.999Z"),
        ("0000-01-01T00:00:00+23:59", "0000-01-01T00:00:00.000Z"),
    ])
    func `an offset moves no time beyond the years 0 to 9999`(_ text: String, _ expected: String) {
        let instant = Instant(rfc3339: text)
        #expect(instant?.description == expected)
        #expect(Instant(rfc3339: expected) == instant)
    }

    @Test func `a time beyond the years 0 to 9999 is written as the first or the last of them`() {
        #expect(Instant(milliseconds: 253_402_300_800_000).description == "9999-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: .max).description == "9999-12-31T23:59:59.999Z")
        #expect(Instant(milliseconds: -62_167_219_200_001).description == "0000-01-01T00:00:00.000Z")
    }

    @Test(arguments: [
        "", "now", "2026-03-01", "2026-03-01T12:00:00", "2026-03-01 12:00:00Z", "2026-3-1T12:00:00Z",
        "2026-00-01T12:00:00Z", "2026-13-01T12:00:00Z", "2026-02-29T12:00:00Z", "1900-02-29T12:00:00Z",
        "2026-04-31T12:00:00Z", "2026-03-00T12:00:00Z", "2026-03-01T24:00:00Z", "2026-03-01T12:60:00Z",
        "2026-03-01T12:00:61Z", "2026-03-01T12:00:60Z", "2026-12-31T23:59:60+01:00", "2026-03-01T12:00:00.Z",
        "2026-03-01T12:00:00.5", "2026-03-01T12:00:00Zx", "2026-03-01T12:00:00+2:00", "2026-03-01T12:00:00+24:00",
        "2026-03-01T12:00:00+02:60", "2026-03-01T12:00:00+0200", "2026-03-01T12:00:00+02:00Z",
        "+026-03-01T12:00:00Z", "２026-03-01T12:00:00Z", "2026-03-01T12:00:00.1234567890123456789",
        "20260301T120000Z00000",
    ])
    func `any other text is not an instant`(_ text: String) {
        #expect(Instant(rfc3339: text) == nil)
    }

    @Test func `adding a duration saturates instead of overflowing`() {
        let now = Instant(milliseconds: 1_772_366_400_250)
        #expect(now.advanced(by: .milliseconds(-250)).milliseconds == 1_772_366_400_000)
        for longest in [Duration.seconds(Int64.max), .milliseconds(Int64.max), .seconds(Int64.max / 1_000)] {
            #expect(now.advanced(by: longest) == .latest && now.advanced(by: .zero - longest) == .earliest)
        }
        #expect(now.duration(to: now.advanced(by: .seconds(3))) == .seconds(3))
    }

    @Test func `an instant is from the year 0 to the year 9999, so that a difference of two of them never overflows`() {
        let times: [Int64] = [
            .min, .min + 1, -9_223_118_634_554_000_000, -1, 0, 1, 253_402_300_799_999, 253_402_300_800_000, .max,
        ]
        for (a, b) in times.flatMap({ a in times.map { (Instant(milliseconds: a), Instant(milliseconds: $0)) } }) {
            #expect(Instant.earliest...Instant.latest ~= a)
            #expect(a.advanced(byMilliseconds: b.milliseconds(since: a)) == b && a.advanced(by: a.duration(to: b)) == b)
        }
    }
}
