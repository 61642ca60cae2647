#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What decides the meaning of a person's words besides the words: their language, time zone and clock.
public struct SpeechContext: Sendable, Hashable {
    /// A BCP 47 tag such as `nl-NL`.
    public var locale: String?
    /// The IANA name of the person's time zone: `Europe/Amsterdam`. Without one, times are in UTC.
    public var timeZone: String?
    /// When the person said it. Without it, "tomorrow" cannot be read.
    public var now: Date?

    public init(locale: String? = nil, timeZone: String? = nil, now: Date? = nil) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }
}
