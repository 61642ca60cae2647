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
    /// The values that the person was asked about, in the form of ``SpokenCandidate/text``: at most ten. "18:30" picks
    /// among moments of tomorrow, and "an hour later" is an hour after each of these values.
    public var offered: [String] = []

    public init(locale: String? = nil, timeZone: String? = nil, now: Date? = nil) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }
}

extension SpeechContext {
    /// A value as the reader of the running phase writes it for the person; `nil` outside of a phase, without a reader,
    /// and if the reader does not write such values.
    static func text(of value: String, as kind: SpokenKind, in locale: String?) -> String? {
        guard let context = Context.current, let reader = context.scope.spokenValues else { return nil }
        let speech = SpeechContext(locale: locale ?? context.locale, timeZone: context.timeZone, now: context.now)
        return reader.text(of: value, as: kind, in: speech)
    }
}

extension Context {
    /// `false` if ``timeZone`` is none of the IANA database.
    package var knowsTimeZone: Bool { timeZone.map { TimeZone(identifier: $0) != nil } ?? true }
}
