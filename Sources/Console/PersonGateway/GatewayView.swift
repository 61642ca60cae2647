package import IntentEvents
package import IntentModel

/// The part of a gateway that one viewer may see. Sessions, events and intents are read through a view only, so no route can leave out the viewer.
package struct GatewayView: Sendable {
    let gateway: Gateway
    package let viewer: Viewer

    /// The session as the viewer may see it: without the events of others, and without values if the viewer sees none.
    ///
    /// - Returns: `nil` if the session is not known here, or is not the viewer's.
    package func session(_ id: Identifier) -> FollowedSession? {
        guard let session = gateway.session(id), viewer.sees(session) else { return nil }
        return session.seen(by: viewer)
    }

    /// The events of a session that the viewer may see, oldest first. A sender sees what it has said, and the rejection, in another's session too.
    package func events(of id: Identifier) -> [TimelineEvent] { gateway.session(id)?.events.compactMap(viewer.view) ?? [] }

    /// `true` if the session is known here, and is not the viewer's. The coordinator decides about a session that is not known here.
    package func isOfAnother(_ id: Identifier) -> Bool { gateway.session(id).map { !viewer.sees($0) } ?? false }

    /// `true` if the session's owner is known, and none of its results is for the viewer.
    package func isShutOut(of id: Identifier) -> Bool { gateway.session(id).map(viewer.isShutOut) ?? false }

    /// The principal that owns the session, if the viewer is that principal.
    package func owns(_ id: Identifier) -> Bool {
        guard case .own(let principal) = viewer.scope else { return false }
        return gateway.session(id)?.owner == principal
    }

    /// A page of sessions, the one that has changed last first; see ``Gateway/sessions(for:search:state:after:limit:)``.
    package func sessions(
        search: String? = nil, state: FollowedSession.State? = nil, after: String? = nil, limit: Int
    ) throws(GatewayProblem) -> JSON {
        try gateway.sessions(for: viewer, search: search, state: state, after: after, limit: limit)
    }

    /// One session as JSON; `nil` if it is not known here, or is not the viewer's.
    package func json(of id: Identifier, canAnswer: Bool) -> JSON? { gateway.session(id, for: viewer, canAnswer: canAnswer) }

    /// What waits for someone: approvals and other questions, handoffs, and dead letters for operators.
    package func inbox(deadLetters: Bool) -> JSON { gateway.inbox(for: viewer, deadLetters: deadLetters) }

    /// How the pipeline is, in figures.
    package func overview(topics: [TopicFigures]) -> JSON { gateway.overview(topics: topics, for: viewer) }

    // MARK: The catalogue, which is the same for every viewer

    /// The intents that workers serve, by name.
    package var catalogue: [Catalogue.Entry] { gateway.catalogue }

    /// How often the catalogue has changed: while this stays, so does ``catalogue``.
    package var catalogueChanges: Int { gateway.catalogueChanges }

    /// The catalogue: each intent as its service has published it, with who serves it.
    package func catalogueJSON(in locale: String?) -> JSON { gateway.catalogueJSON(in: locale) }

    // MARK: Following

    /// Follows the events of a session, until ``FollowedEvents/cancel()``.
    ///
    /// - Parameter after: The place of the last result that the reader has; those after it come first, if they are kept here. `nil` for new events alone.
    /// - Returns: The events; and where results are that should have come first and are not kept here.
    package func follow(_ session: Identifier, after: LogPosition? = nil) -> (events: FollowedEvents, missing: Range<Int64>?) {
        let (subscription, missing) = gateway.follow(session, after: after)
        return (FollowedEvents(gateway: gateway, subscription: subscription, session: session, viewer: viewer), missing)
    }

    /// Follows the events of all sessions, from now on.
    ///
    /// - Returns: The events; and the offsets, by partition, of the first results that come.
    package func followAll() -> (events: FollowedEvents, from: [Int32: Int64]) {
        let (subscription, from) = gateway.followAll()
        return (FollowedEvents(gateway: gateway, subscription: subscription, session: nil, viewer: viewer), from)
    }
}

extension Gateway {
    /// The part of the gateway that the viewer may see.
    package func view(for viewer: Viewer) -> GatewayView { GatewayView(gateway: self, viewer: viewer) }
}
