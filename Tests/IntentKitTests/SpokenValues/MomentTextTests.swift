import IntentKit
import SpokenValues
import Testing

@Suite("A moment is written for the person")
struct MomentTextTests {
    private func text(_ locale: String?, _ zone: String?) -> String? {
        SpokenValueReader().text(
            of: "2026-11-25T17:30:00.000Z", as: .dateTime, in: SpeechContext(locale: locale, timeZone: zone, now: nil))
    }

    @Test("in their zone and as their language writes it")
    func zones() throws {
        for (locale, parts) in [
            ("en-GB", ["Wed", "25", "Nov", "2026", "18:30"]), ("de", ["Mi", "25", "Nov", "2026", "18:30"]),
            ("nl", ["wo", "25", "nov", "2026", "18:30"]), ("fr", ["mer", "25", "nov", "2026", "18:30"]),
            ("es", ["mié", "25", "nov", "2026", "18:30"]),
        ] {
            let written = try #require(text(locale, "Europe/Amsterdam"))
            for part in parts { #expect(written.contains(part), "\(locale): \(written)") }
        }
        #expect(text("en-US", "America/New_York")?.contains("12:30 PM") == true)
    }

    @Test("not without a zone that is known, nor in a language that is not read here, nor another kind of value")
    func own() {
        #expect(text("en", nil) == nil && text("en", "Middle/Earth") == nil && text("ja", "Asia/Tokyo") == nil)
        let context = SpeechContext(locale: "en", timeZone: "Europe/Amsterdam")
        #expect(SpokenValueReader().text(of: "3.5", as: .number, in: context) == nil)
        #expect(SpokenValueReader().text(of: "soon", as: .dateTime, in: context) == nil)
    }
}
