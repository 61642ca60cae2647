import Foundation
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
    let archive: ResultArchive
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
            do throws(GatewayProblem) {
                let query = try SessionQuery(request.queryMembers)
                return Response(json: try view.sessions(query))
            } catch { throw HTTPProblem(error) }
        }
        group.get("sessions/:session") { request, context in
            let caller = try context.caller
            let id = try context.session
            let reveal = try request.asksForValues
            let viewer = try caller.viewer(of: id, in: gateway, reveal: reveal)
            if reveal { log("values were revealed", of: id, to: caller) }
            guard let json = gateway.view(for: viewer).json(of: id, canAnswer: caller.canAnswer(viewer)) else {
                throw HTTPProblem.notFound("session '\(id)' that you may see, or its events are not kept any more")
            }
            return Response(json: json)
        }
        group.get("sessions/:session/requests/:request/steps") { http, context in
            let (caller, session, request) = (try context.caller, try context.session, try context.name("request"))
            let reveal = try http.asksForValues
            let view = gateway.view(for: try caller.viewer(reveal: reveal))
            if reveal { log("values were revealed", of: session, to: caller) }
            do {
                guard let json = try await view.steps(of: request, in: session, for: caller.principal, archive) else {
                    throw HTTPProblem.notFound("request '\(request)' in session '\(session)' that this console keeps")
                }
                return Response(json: json)
            } catch let problem as GatewayProblem { throw HTTPProblem(problem) }
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

    /// Logs who has seen values that others have said.
    private func log(_ what: Logger.Message, of session: Identifier, to caller: Caller) {
        if caller.isLocal { return }
        logger.notice(what, metadata: ["session": "\(session)", "operator": "\(caller.principal?.id ?? "")"])
    }

    /// Returns the first language of the header, without weights. The catalogue falls back to the developer's language.
    private static func language(_ header: String) -> String? {
        header.split(separator: ",").first?.split(separator: ";").first.map { $0.filter { !$0.isWhitespace } }
    }
}

extension Caller {
    fileprivate func canAnswer(_ viewer: Viewer) -> Bool { !viewer.isMasked && (isLocal || roles.contains(.person)) }
}

extension Request {
    /// The members of the query as forms and most clients write it, where a plus sign is a space.
    fileprivate var queryMembers: [(name: String, value: String)] {
        get throws(GatewayProblem) {
            var members: [(name: String, value: String)] = []
            for part in (uri.query ?? "").split(separator: "&") {
                let texts = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.replacing("+", with: " ").removingPercentEncoding }
                guard let name = texts[0], let value = texts.count > 1 ? texts[1] : "" else {
                    throw GatewayProblem(.invalid, "'\(part.prefix(64))' in the query is no text", field: "query")
                }
                members.append((name, value))
            }
            return members
        }
    }

    /// `true` if the query asks for the values of others, by `reveal=true`.
    /// - Throws: ``HTTPProblem`` if it has `reveal` more than once, or as anything but `true` or `false`.
    var asksForValues: Bool {
        get throws(HTTPProblem) {
            let texts: [String]
            do throws(GatewayProblem) { texts = try queryMembers.filter { $0.name == "reveal" }.map(\.value) } catch {
                throw HTTPProblem(error)
            }
            guard texts.count < 2, ["true", "false"].contains(texts.first ?? "false") else {
                throw HTTPProblem(.badRequest, "'reveal' is either true or false, once", .invalid, field: "reveal")
            }
            return texts == ["true"]
        }
    }
}
