package import IntentModel

/// The part of a gateway that one viewer may see. Sessions, events and intents are read through a view only, so that no
/// route can leave out the viewer.
package struct GatewayView: Sendable {
    let gateway: Gateway
    package let viewer: Viewer

    /// Returns the session as the viewer may see it: without the events of others, and without values if the viewer is
    /// masked.
    ///
    /// - Returns: `nil` if the session is unknown here or the viewer may not see it.
    package func session(_ id: Identifier) -> FollowedSession? {
        guard let session = gateway.session(id), viewer.sees(session) else { return nil }
        return session.redacted(for: viewer)
    }

    /// Returns the events of a session that the viewer may see, oldest first. A sender sees its own events, also in a
    /// session of another principal.
    package func events(of id: Identifier) -> [TimelineEvent] {
        gateway.session(id)?.events.compactMap(viewer.view) ?? []
    }

    /// `true` if the session is known here and belongs to another principal. The coordinator decides about a session
    /// that is unknown here.
    package func isOfAnother(_ id: Identifier) -> Bool { gateway.session(id).map { !viewer.sees($0) } ?? false }

    /// `true` if the session asks for an approval that the viewer may give.
    package func mayApprove(_ id: Identifier) -> Bool { gateway.session(id).map(viewer.mayApprove) ?? false }

    /// `true` if the session's owner is known and the viewer may see none of the results.
    package func isShutOut(of id: Identifier) -> Bool { gateway.session(id).map(viewer.isShutOut) ?? false }

    /// `true` if the viewer's principal is the owner of the session.
    package func owns(_ id: Identifier) -> Bool {
        guard case .own(let principal) = viewer.scope else { return false }
        return gateway.session(id)?.owner == principal
    }

    // MARK: Following

    /// Follows the events of a session until ``FollowedEvents/cancel()``.
    ///
    /// - Parameter after: The place of the last result that the reader has. Later results come first if they are stored
    ///   here. `nil` for new events only.
    /// - Returns: The events, and the offsets of results that should have come first but are not stored here.
    package func follow(_ session: Identifier, after: LogPosition? = nil) -> (
        events: FollowedEvents, missing: Range<Int64>?
    ) {
        let (subscription, missing) = gateway.follow(session, after: after)
        return (FollowedEvents(gateway: gateway, subscription: subscription, session: session, viewer: viewer), missing)
    }

    /// Follows the events of all sessions from now on.
    ///
    /// - Returns: The events, and the offset of the first result to come, by partition.
    package func followAll() -> (events: FollowedEvents, from: [Int32: Int64]) {
        let (subscription, from) = gateway.followAll()
        return (FollowedEvents(gateway: gateway, subscription: subscription, session: nil, viewer: viewer), from)
    }
}

extension Gateway {
    /// Returns the part of the gateway that the viewer may see.
    package func view(for viewer: Viewer) -> GatewayView { GatewayView(gateway: self, viewer: viewer) }
}
