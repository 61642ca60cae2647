import IntentModel

/// The subscriptions of a gateway, each to the events of one session or of all sessions.
struct Readers {
    private var ofSession: [Identifier: [ObjectIdentifier: Subscription]] = [:]
    private var ofAll: [ObjectIdentifier: Subscription] = [:]
    private var added = 0
    private var pulses = 0

    /// The number of calls of ``advancePulse()`` that reach every reader.
    static let turns = 15

    var count: Int { ofAll.count + ofSession.values.reduce(0) { $0 + $1.count } }
    var all: [Subscription] { Array(ofAll.values) + ofSession.values.flatMap(\.values) }

    /// - Parameter session: The session; `nil` for all sessions.
    mutating func add(_ events: [TimelineEvent] = [], of session: Identifier?) -> Subscription {
        added += 1
        let subscription = Subscription(events, turn: added % Self.turns)
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

    /// Returns the readers that get a sign of life now. Waking all of 10,000 readers at once would stop everything else
    /// for a third of a second.
    mutating func advancePulse() -> [Subscription] {
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
