import Conversation
import IntentModel

/// The subscriptions of a gateway, each to the events of one session or of all sessions.
struct Readers {
    private var ofSession: [Identifier: [ObjectIdentifier: Subscription]] = [:]
    private var ofAll: [ObjectIdentifier: Subscription] = [:]
    private var added = 0
    private var pulses = 0
    private var lastPulse: Instant
    private var isClosed = false
    /// The number of readers that were disconnected because they were too slow.
    var cut = 0

    /// The interval of ``advancePulse(at:)``, and the number of pulses after which each reader has got one.
    static let interval: Duration = .seconds(1)
    static let turns = 15

    init(at now: Instant) { lastPulse = now }

    var count: Int { ofAll.count + ofSession.values.reduce(0) { $0 + $1.count } }
    private var all: [Subscription] { Array(ofAll.values) + ofSession.values.flatMap(\.values) }

    /// - Parameter session: The session; `nil` for all sessions.
    mutating func add(_ events: [TimelineEvent] = [], of session: Identifier?) -> Subscription {
        added += 1
        let subscription = Subscription(events, turn: added % Self.turns)
        if isClosed { subscription.end(.closed) }
        if let session {
            ofSession[session, default: [:]][ObjectIdentifier(subscription)] = subscription
        } else {
            ofAll[ObjectIdentifier(subscription)] = subscription
        }
        return subscription
    }

    mutating func remove(_ subscription: Subscription, of session: Identifier?) {
        guard let session else {
            ofAll[ObjectIdentifier(subscription)] = nil
            return
        }
        ofSession[session]?[ObjectIdentifier(subscription)] = nil
        if ofSession[session]?.isEmpty == true { ofSession[session] = nil }
    }

    /// Removes and returns all readers. Later readers end at once.
    mutating func removeAll() -> [Subscription] {
        defer { (ofSession, ofAll, isClosed) = ([:], [:], true) }
        return all
    }

    /// Returns the readers that get a sign of life now; `nil` before ``interval`` has passed. To wake all of 10,000
    /// readers at once would stop everything else for a third of a second.
    mutating func advancePulse(at now: Instant) -> [Subscription]? {
        guard lastPulse.duration(to: now) >= Self.interval else { return nil }
        lastPulse = now
        pulses += 1
        return all.filter { $0.turn == pulses % Self.turns }
    }

    /// Returns the readers that want any of the events, with the events for them.
    func recipients(of events: [TimelineEvent]) -> [(readers: [Subscription], events: [TimelineEvent])] {
        let wanted = events.filter { $0.session.map { ofSession[$0] != nil } ?? false }
        var recipients = Dictionary(grouping: wanted) { $0.session ?? "" }.map {
            (Array((ofSession[$0.key] ?? [:]).values), $0.value)
        }
        if !ofAll.isEmpty { recipients.append((Array(ofAll.values), events)) }
        return recipients
    }
}
