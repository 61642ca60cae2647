import IntentModel

/// The events that one viewer follows as they come. What the viewer may not see is only a place in the log.
package struct FollowedEvents: Sendable {
    /// An event of the log.
    package struct Event: Sendable {
        package var position: LogPosition
        package var origin: TimelineEvent.Origin
        /// The event as the viewer may see it; `nil` if the viewer may not.
        package var shown: TimelineEvent?
    }

    package enum Next: Sendable {
        /// The events since the last call, oldest first. Empty if nothing has come for a while: a sign of life.
        case events([Event])
        case ended(Subscription.Ending)
    }

    let gateway: Gateway
    let subscription: Subscription
    /// `nil` for all sessions.
    let session: Identifier?
    let viewer: Viewer

    /// The events since the last call. Waits until there is one.
    package func next() async -> Next {
        switch await subscription.next() {
        case .ended(let ending): .ended(ending)
        case .events(let events):
            .events(events.map { Event(position: $0.position, origin: $0.origin, shown: viewer.view($0)) })
        }
    }

    /// Waits until the events end.
    package func ended() async -> Subscription.Ending { await subscription.ended() }

    /// Why the events have ended; `nil` while they go on.
    package var ending: Subscription.Ending? { subscription.ending }

    /// Ends the events for this reader.
    package func end(_ ending: Subscription.Ending) { subscription.end(ending) }

    /// Stops following.
    package func cancel() { gateway.cancel(subscription, of: session) }
}
