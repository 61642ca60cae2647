/// What decides the meaning of a person's words besides the words: their language, time zone and clock.
public struct SpeechContext: Sendable, Hashable {
    /// A BCP 47 tag such as `nl-NL`.
    public var locale: String?
    /// The IANA name of the person's time zone: `Europe/Amsterdam`. Without one, times are in UTC.
    public var timeZone: String?
    /// When the person said it; milliseconds since 1970. Without it, "tomorrow" cannot be read.
    public var now: Int64?

    public init(locale: String? = nil, timeZone: String? = nil, now: Int64? = nil) {
        self.locale = locale
        self.timeZone = timeZone
        self.now = now
    }
}
