/// Where and when a person says something, as far as their request says: what "tomorrow at six" means depends on both.
///
/// Work carries the person's time, so that "tomorrow" stays the same day in a request that waits over midnight or is sent
/// again after a crash.
public struct PersonClock: Sendable, Hashable {
    /// The IANA name of their time zone, such as `Europe/Amsterdam`. Workers know what it means.
    public var timeZone: String?
    /// How far their clock is ahead of the coordinator's, in milliseconds; 0 if the request says no time. It is how a conversation that is played again keeps
    /// its own day.
    public var ahead: Int64
    /// When the last of the request's words came: the record of the request, or the answer or correction that was decided on.
    public var said: Instant

    public init(timeZone: String? = nil, ahead: Int64 = 0, said: Instant) {
        self.timeZone = timeZone
        self.ahead = ahead
        self.said = said
    }

    /// When the person said it, by their own clock.
    public var now: Instant { max(said.advanced(byMilliseconds: ahead), Instant(milliseconds: 0)) }
}
