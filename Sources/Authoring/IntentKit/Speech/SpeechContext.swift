#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The language, time zone and clock that a person's words are interpreted by.
public struct SpeechContext: Sendable, Hashable {
    /// The person's language, as a BCP 47 tag such as `nl-NL`.
    public var locale: String?
    /// The IANA name of the person's time zone, such as `Europe/Amsterdam`. Without a time zone, times are in UTC.
    public var timeZone: String?
    /// The time at which the person spoke. Without this time, "tomorrow" can't be read.
    public var now: Date?

    public init(locale: String? = nil, timeZone: String? = nil, now: Date? = nil) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }
}

extension Context {
    /// `false` if ``timeZone`` is none of the IANA database.
    package var knowsTimeZone: Bool { timeZone.map { TimeZone(identifier: $0) != nil } ?? true }
}
