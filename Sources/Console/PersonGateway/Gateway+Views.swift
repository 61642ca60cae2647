import Conversation
import DequeModule
import IntentEvents
import IntentModel
import RecordLog
import Synchronization

// The data of the HTTP interface.
extension Gateway {
    /// Returns a page of sessions, the most recently changed first.
    ///
    /// - Parameters:
    ///   - search: A text that the id, an intent or its title must contain, in upper or lower case.
    ///   - after: The cursor of the previous page.
    ///   - limit: The maximum number of sessions; 1 to 200.
    func sessions(
        for viewer: Viewer, search: String?, state wanted: FollowedSession.State?, after: String?, limit: Int
    ) throws(GatewayProblem) -> JSON {
        guard 1...200 ~= limit else {
            throw GatewayProblem(.invalid, "'limit' is a number from 1 to 200", field: "limit")
        }
        var before: UInt64?
        if let after {
            guard let number = UInt64(after) else {
                throw GatewayProblem(.invalid, "'after' is what 'next' of the page before has said", field: "after")
            }
            before = number
        }
        let needle = search?.lowercased() ?? ""
        return state.withLock { state in
            var found: [FollowedSession] = []
            var hasMore = false
            let titles = state.titles
            state.board.newestFirst(before: before) { session in
                guard viewer.sees(session), wanted == nil || session.state == wanted else { return true }
                let intents = session.requests.compactMap(\.intent)
                let texts = [session.id.text] + intents.map(\.text) + intents.compactMap { titles[$0] }
                guard needle.isEmpty || texts.contains(where: { $0.lowercased().contains(needle) }) else { return true }
                hasMore = found.count == limit
                if !hasMore { found.append(session) }
                return !hasMore
            }
            return .make { writer in
                writer.beginObject()
                writer.member("sessions", .array(found.map { session in session.summary(for: viewer) { titles[$0] } }))
                if hasMore, let last = found.last { writer.member("next", String(last.change)) }
                writer.member("total", state.board.count(for: viewer))
                writer.endObject()
            }
        }
    }

    /// Returns one session; `nil` if it is unknown here or the viewer may not see it.
    func session(_ id: Identifier, for viewer: Viewer, canAnswer: Bool) -> JSON? {
        let (session, titles, position) = state.withLock { state in
            let session = state.board[id]
            let position = session.map {
                LogPosition(partition: $0.partition, offset: (state.next[$0.partition] ?? 0) - 1)
            }
            return (session, state.titles, position)
        }
        guard let session, let position, viewer.sees(session) else { return nil }
        return session.json(for: viewer, canAnswer: canAnswer, position: position) { titles[$0] }
    }

    /// Returns everything that waits for someone: approvals and other questions, handoffs, and dead letters for
    /// operators.
    func inbox(for viewer: Viewer, deadLetters: Bool) -> JSON {
        let limit = 200
        return state.withLock { state in
            let waiting = state.board.waitingSessions.filter(viewer.sees)
            let titles = state.titles
            func item(_ session: FollowedSession, _ event: TimelineEvent, _ name: StaticString, _ shown: TimelineEvent)
                -> JSON
            {
                .make { writer in
                    writer.beginObject()
                    writer.member("session", session.id)
                    writer.member("request", ifPresent: event.request)
                    writer.member("intent", ifPresent: session.current?.intent)
                    writer.member("title", ifPresent: session.current?.intent.flatMap { titles[$0] })
                    writer.member("time", event.time.description)
                    writer.member(name, shown.data)
                    writer.endObject()
                }
            }
            func prompts(_ isWanted: @escaping (String) -> Bool) -> JSON {
                let items = waiting.lazy.compactMap { session -> JSON? in
                    guard let prompt = session.openPrompt, isWanted(prompt.data["kind"]?.string ?? ""),
                        let shown = viewer.view(prompt)
                    else { return nil }
                    return item(session, prompt, "prompt", shown)
                }
                return .array(Array(items.prefix(limit)))
            }
            let handoffs = waiting.lazy.compactMap { session -> JSON? in
                guard let (event, isClaimed) = session.openHandoff, !isClaimed, let shown = viewer.view(event) else {
                    return nil
                }
                return item(session, event, "handoff", shown)
            }
            return .object([
                "approvals": prompts { $0 == Prompt.Kind.confirmIntent.rawValue },
                "questions": prompts { $0 != Prompt.Kind.confirmIntent.rawValue },
                "handoffs": .array(Array(handoffs.prefix(limit))),
                "deadLetters": deadLetters
                    ? state.letters.json(
                        limit: limit, masked: viewer.isMasked, replayable: [topics.requests, topics.answers])
                    : .array([]),
            ])
        }
    }

    /// Returns the catalogue: each intent as its service has published it, with the service and the number of workers.
    func catalogueJSON(in locale: String?) -> JSON {
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

extension Gateway.State {
    /// The titles of the intents.
    var titles: [Identifier: String] {
        Dictionary(entries.map { ($0.intent, $0.published?.title ?? $0.intent.text) }) { first, _ in first }
    }
}

extension SeenWorker {
    var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("instance", lease.instance)
            writer.member("service", ifPresent: lease.service)
            writer.member("version", ifPresent: lease.version)
            writer.member("phases", .array(lease.phases.map { .string($0) }))
            writer.member("intents", lease.intents.count)
            writer.member("inApp", lease.inApp.count)
            writer.member("since", since.description)
            writer.member("expires", expires.description)
            writer.member("gone", ifPresent: ended?.description)
            writer.endObject()
        }
    }
}
