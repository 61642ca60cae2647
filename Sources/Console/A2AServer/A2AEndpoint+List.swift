import AgentConversation
import Conversation
import IntentModel
import PersonGateway

// `ListTasks`: the tasks of a caller, first those that have changed last.
extension A2AEndpoint {
    /// Where a task is in the list. What changes meanwhile moves to the front, so no page has a task of an earlier page.
    private struct Place: Comparable {
        var updated: Int64
        var started: Int64
        var id: Identifier

        init(_ session: FollowedSession, _ request: FollowedRequest) {
            (updated, started, id) = (session.updated.milliseconds, request.started.milliseconds, request.id)
        }

        init?(token: String) {
            let parts = token.split(separator: ".", maxSplits: 2)
            guard parts.count == 3, let updated = Int64(parts[0]), let started = Int64(parts[1]) else { return nil }
            (self.updated, self.started, id) = (updated, started, Identifier(String(parts[2])))
        }

        var token: String { "\(updated).\(started).\(id)" }

        static func < (a: Self, b: Self) -> Bool { (a.updated, a.started, a.id) < (b.updated, b.started, b.id) }
    }

    func list(_ params: JSONView?, _ principal: Principal?) throws -> JSON {
        let size = params?["pageSize"].map { $0.int ?? 0 } ?? 50
        guard 1...100 ~= size else { throw A2AError(.invalidParams, "'pageSize' is a number from 1 to 100") }
        let token = params?["pageToken"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        let after = token.flatMap(Place.init(token:))
        if token != nil, after == nil {
            throw A2AError(.invalidParams, "'pageToken' is what 'nextPageToken' of the page before has said")
        }
        let wanted = params?["status"]?.string.flatMap { $0 == "TASK_STATE_UNSPECIFIED" ? nil : $0 }
        let all = try sessions(of: principal, context: params?["contextId"]?.identifier).flatMap { session in
            session.requests.filter { isTask($0.id, of: session.id) }.map { request in
                (
                    place: Place(session, request),
                    call: call(session.id, request.id, principal)
                )
            }
        }.filter { wanted == nil || task($0.call).state.rawValue == wanted }.sorted { $0.place > $1.place }
        let rest = after.map { after in all.filter { $0.place < after } } ?? all
        let page = rest.prefix(size)
        let next = rest.count > page.count ? page.last?.place.token : nil
        let includesArtifacts = params?["includeArtifacts"]?.bool == true
        return .object([
            "tasks": .array(page.map { task($0.call).json(artifacts: includesArtifacts) }), "nextPageToken": .string(next ?? ""),
            "pageSize": .number(size), "totalSize": .number(all.count),
        ])
    }

    /// Whether a request was made here: its id has its session in it, and a digest.
    private func isTask(_ request: Identifier, of session: Identifier) -> Bool {
        request.hasPrefix("\(session).") && request.utf8.count == session.utf8.count + 17
    }

    private func sessions(of principal: Principal?, context: Identifier?) throws -> [FollowedSession] {
        if let context, !context.isEmpty {
            return view(for: principal).session(context).flatMap { $0.person == principal ? [$0] : nil } ?? []
        }
        guard let principal else { throw A2AError(.invalidParams, "'contextId' is needed, as the caller is not authenticated") }
        var found: [FollowedSession] = []
        var next: String?
        repeat {
            let page = try view(for: principal).sessions(after: next, limit: 200).view
            found += (page["sessions"]?.elements ?? []).compactMap {
                $0["session"]?.identifier.flatMap { view(for: principal).session($0) }
            }
            next = page["next"]?.string
        } while next != nil
        return found
    }
}
