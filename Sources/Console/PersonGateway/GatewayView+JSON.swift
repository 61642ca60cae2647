import Conversation
import DequeModule
package import IntentEvents
package import IntentModel
import Synchronization

// The data of the HTTP interface.
extension GatewayView {
    /// Returns a page of sessions, the most recently changed first.
    ///
    /// - Parameter maximumSearched: The size of the events after which the search ends, in bytes.
    /// - Throws: ``GatewayProblem`` if the viewer may not ask for a principal.
    package func sessions(_ query: SessionQuery, maximumSearched: Int = 32 << 20) throws(GatewayProblem) -> JSON {
        guard query.principal == nil || viewer.scope == .all else {
            throw GatewayProblem(
                .unauthorized, "only your own sessions are here: leave out 'principal'", field: "principal")
        }
        // Read outside of the lock: a search takes a while.
        let (board, titles) = gateway.state.withLock { ($0.timeline.board, $0.catalogue.titles) }
        let now = gateway.clock()
        var search = SessionSearch(query.search, for: viewer, titles: titles, maximumBytes: maximumSearched)
        var found: [FollowedSession] = []
        var (total, unsearched) = (0, 0)
        var searched: UInt64?
        board.newestFirst(before: query.after) { session in
            guard viewer.sees(session), query.fits(session, at: now) else { return }
            if search.isOver {
                unsearched += 1
                return
            }
            searched = session.change
            guard search.search(session) else { return }
            total += 1
            if found.count < query.limit { found.append(session) }
        }
        let next = total > found.count ? found.last?.change : unsearched > 0 ? searched : nil
        return .make { writer in
            writer.beginObject()
            writer.member("sessions", .array(found.map { session in session.summary(for: viewer) { titles[$0] } }))
            writer.member("next", ifPresent: next.map { String($0) })
            writer.member("total", total)
            if unsearched > 0 { writer.member("unsearched", unsearched) }
            writer.member("kept", board.count(for: viewer))
            if viewer.isMasked { writer.member("masked", true) }
            writer.endObject()
        }
    }

    /// Returns one session as JSON; `nil` if it is unknown here or the viewer may not see it.
    package func json(of id: Identifier, canAnswer: Bool) -> JSON? {
        let (known, titles, next) = gateway.state.withLock {
            ($0.timeline.board[id], $0.catalogue.titles, $0.followed.nextResults)
        }
        guard let known, viewer.sees(known) else { return nil }
        let position = LogPosition(partition: known.partition, offset: (next[known.partition] ?? 0) - 1)
        return known.json(for: viewer, canAnswer: canAnswer, position: position) { titles[$0] }
    }

    /// Returns everything that waits for someone: approvals and other questions, handoffs, and dead letters for
    /// operators.
    package func inbox(deadLetters: Bool) -> JSON {
        let limit = 200
        let replayable: Set = [gateway.topics.requests, gateway.topics.answers]
        let (sessions, titles, letters) = gateway.state.withLock { state in
            let letters =
                deadLetters
                ? state.letters.json(limit: limit, masked: viewer.isMasked, replayable: replayable) : .array([])
            return (state.timeline.board.waitingSessions, state.catalogue.titles, letters)
        }
        func items(_ name: StaticString, _ event: @escaping (FollowedSession) -> TimelineEvent?) -> JSON {
            let items = sessions.lazy.compactMap { session -> JSON? in
                guard let event = event(session) else { return nil }
                // Approvers see the prompt, and no other event of the session.
                let isApprover = event.id == session.openPrompt?.id && viewer.isAskedToApprove(session)
                guard isApprover || viewer.sees(session), let shown = isApprover ? event : viewer.view(event) else {
                    return nil
                }
                let intent = session.requests.first { $0.id == event.request }?.intent
                return .make { writer in
                    writer.beginObject()
                    writer.member("session", session.id)
                    writer.member("request", ifPresent: event.request)
                    writer.member("intent", ifPresent: intent)
                    writer.member("title", ifPresent: intent.flatMap { titles[$0] })
                    writer.member("time", event.time.description)
                    if isApprover, let principal = viewer.approver?.principal {
                        writer.member("approver", true)
                        writer.member("rejected", ifPresent: session.rejection(to: principal)?.data)
                    }
                    writer.member(name, shown.data)
                    writer.endObject()
                }
            }
            return .array(Array(items.prefix(limit)))
        }
        func prompts(areApprovals: Bool) -> JSON {
            items("prompt") { session in
                session.openPrompt.flatMap {
                    ($0.data["kind"]?.string == Prompt.Kind.confirmIntent.rawValue) == areApprovals ? $0 : nil
                }
            }
        }
        return .object([
            "approvals": prompts(areApprovals: true), "questions": prompts(areApprovals: false),
            "handoffs": items("handoff") { session in
                session.openHandoff.flatMap { $0.isClaimed ? nil : $0.event }
            },
            "deadLetters": letters,
        ])
    }

    /// Returns the figures of the pipeline.
    package func overview(topics: [TopicFigures]) -> JSON {
        gateway.overviews(topics: topics, for: [viewer], inAnyCase: [viewer])[viewer] ?? .object([:])
    }

    // MARK: The catalogue, which is the same for every viewer

    /// The intents that workers serve, by name.
    package var catalogue: [Catalogue.Entry] { gateway.state.withLock(\.catalogue.entries) }

    /// The number of changes of the catalogue. While the number stays the same, so does ``catalogue``.
    package var catalogueChanges: Int { gateway.state.withLock(\.catalogue.changes) }

    /// Returns the catalogue: each intent as its service has published it, with the service and the number of workers.
    package func catalogueJSON(in locale: String?) -> JSON {
        let intents = catalogue.map { entry in
            JSON.make { writer in
                writer.beginObject()
                writer.member("intent", entry.intent)
                writer.member("title", entry.published?.title ?? entry.intent.text)
                let server = (entry.isInApp ? entry.appServices : entry.services).first
                writer.member("service", ifPresent: server?.service)
                writer.member("version", ifPresent: server?.version)
                writer.member("workers", (entry.services + entry.appServices).reduce(0) { $0 + $1.workers })
                writer.member("inApp", entry.isInApp)
                let details = entry.published?.details(in: locale) ?? [:]
                for (name, value) in details.sorted(by: { $0.key < $1.key })
                where name != "languages" && name != "title" {
                    writer.member(named: name, value)
                }
                writer.endObject()
            }
        }
        return .object(["intents": .array(intents)])
    }
}
