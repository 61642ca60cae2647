import HTTPTypes
import Hummingbird
import IntentEvents
import IntentModel
import Logging
import PersonGateway
import PipelineService

/// The routes that read the pipeline's state.
struct LookRoutes: Sendable {
    let gateway: Gateway
    let figures: FigureTicker
    let isOpen: Bool
    let logger: Logger

    func add(to group: RouterGroup<ConsoleContext>) {
        group.get("me") { _, context in
            let caller = try context.caller
            let principal = caller.principal.map {
                JSON.object(["kind": .string($0.kind.rawValue), "id": .string($0.id)])
            }
            return Response(
                json: .object([
                    "principal": principal ?? .null,
                    "roles": .array(ConsoleRole.allCases.filter(caller.roles.contains).map { .string($0.rawValue) }),
                    "authentication": .string(isOpen ? "none" : "bearer"), "version": .string(PipelineVersion.current),
                    "topicPrefix": .string(gateway.topics.prefix),
                ]))
        }
        group.get("catalog") { request, context in
            let view = gateway.view(for: try context.caller.viewer())
            return Response(json: view.catalogueJSON(in: request.headers[.acceptLanguage].flatMap(Self.language)))
        }
        group.get("sessions") { request, context in
            let view = gateway.view(for: try context.caller.viewer())
            let query = request.uri.queryParameters
            let limit = query["limit"].map { Int($0) } ?? 50
            var state: FollowedSession.State?
            if let text = query["state"] {
                state = FollowedSession.State(rawValue: String(text))
                guard state != nil else {
                    let names = FollowedSession.State.allCases.map(\.rawValue).joined(separator: ", ")
                    throw HTTPProblem(.badRequest, "'state' is one of \(names)", .invalid, field: "state")
                }
            }
            do throws(GatewayProblem) {
                return Response(
                    json: try view.sessions(
                        search: query["search"].map(String.init), state: state, after: query["after"].map(String.init),
                        limit: limit ?? 0))
            } catch { throw HTTPProblem(error) }
        }
        group.get("sessions/:session") { request, context in
            let caller = try context.caller
            let id = try context.session
            let reveal = request.uri.queryParameters["reveal"] == "true"
            let viewer = try caller.viewer(of: id, in: gateway, reveal: reveal)
            if reveal, !caller.isLocal {
                // The log shows who has revealed what others have said.
                logger.notice(
                    "values were revealed", metadata: ["session": "\(id)", "operator": "\(caller.principal?.id ?? "")"])
            }
            guard let json = gateway.view(for: viewer).json(of: id, canAnswer: caller.canAnswer(viewer)) else {
                throw HTTPProblem.notFound("session '\(id)' that you may see, or its events are not kept any more")
            }
            return Response(json: json)
        }
        group.get("inbox") { _, context in
            let caller = try context.caller
            let view = gateway.view(for: try caller.viewer())
            return Response(json: view.inbox(deadLetters: caller.isLocal || caller.roles.contains(.operator)))
        }
        group.get("overview/history") { _, context in
            try context.caller.require(.observer, .operator)
            return Response(json: figures.history)
        }
        group.get("overview") { _, context in Response(json: figures.overview(for: try context.caller.viewer())) }
    }

    /// Returns the first language of the header, without weights. The catalogue falls back to the developer's language.
    private static func language(_ header: String) -> String? {
        header.split(separator: ",").first?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace } }
    }
}

extension Caller {
    fileprivate func canAnswer(_ viewer: Viewer) -> Bool { !viewer.isMasked && (isLocal || roles.contains(.person)) }
}
