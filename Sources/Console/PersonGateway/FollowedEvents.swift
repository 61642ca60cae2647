import IntentModel

/// The events that one viewer follows live. An event that the viewer may not see is only a position in the log.
package struct FollowedEvents: Sendable {
    /// An event of the log.
    package struct Event: Sendable {
        package var position: LogPosition
        package var origin: TimelineEvent.Origin
        /// The event as the viewer may see it; `nil` if the viewer may not.
        package var shown: TimelineEvent?
    }

    package enum Next: Sendable {
        /// The events since the last call, oldest first. An empty list is a sign of life after a time without events.
        case events([Event])
        case ended(Subscription.Ending)
    }

    let gateway: Gateway
    let subscription: Subscription
    /// The session; `nil` for all sessions.
    let session: Identifier?
    let viewer: Viewer

    /// Returns the events since the last call. Waits until there is one.
    package func next() async -> Next {
        switch await subscription.next() {
        case .ended(let ending): .ended(ending)
        case .events(let events):
            .events(events.map { Event(position: $0.position, origin: $0.origin, shown: viewer.view($0)) })
        }
    }

    /// Waits until the subscription ends.
    package func ended() async -> Subscription.Ending { await subscription.ended() }

    /// The reason for which the subscription has ended; `nil` while it is open.
    package var ending: Subscription.Ending? { subscription.ending }

    /// Ends the subscription.
    package func end(_ ending: Subscription.Ending) { subscription.end(ending) }

    /// Ends the subscription and removes it from the gateway.
    package func cancel() { gateway.cancel(subscription, of: session) }
}
