import RecordLog
import Testing

@testable import Pipeline

@Suite("Any metadata of a committed offset is read without a crash")
struct OffsetNoteFuzzTests {
    private static let pieces = [
        "done=", "1", "-", ",", "9223372036854775807", "-9223372036854775808", "0", "18446744073709551616", "7-3",
        "3-7", " ", "x", "é",
        "=",
        "\u{0}", "1-9223372036854775807",
    ]

    @Test("20,000 random notes, and an offset that is listed twice is not processed twice")
    func notes() {
        var state: UInt64 = 2_026
        func below(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        for _ in 1...20_000 {
            let note = "done=" + (0..<below(8)).map { _ in Self.pieces[below(Self.pieces.count)] }.joined()
            let base = [0, 1, 100, Int64.max - 5][below(4)]
            var tracker = OffsetTracker(CommittedOffset(offset: base, metadata: note))
            for offset in base..<base + 4 { if tracker.take(offset) { tracker.finish(offset) } }
            #expect(tracker.position >= base, "\(note)")
            _ = tracker.commit()
        }
    }
}
