import HTTPTypes
import Hummingbird
import IntentEvents
import IntentModel
import Logging
import PersonGateway

/// The routes by which operators look at dead letters, replay and drop them.
struct OperatorRoutes: Sendable {
    let gateway: Gateway
    let archive: ResultArchive
    let logger: Logger

    func add(to group: RouterGroup<ConsoleContext>) {
        group.get("dead-letters/:position") { request, context in
            let caller = try context.caller
            try caller.require(.operator)
            let view = gateway.view(for: try caller.viewer(reveal: request.asksForValues))
            let place = try Self.place(context)
            let json: JSON
            do { json = try await view.deadLetter(at: place, archive) } catch let problem as GatewayProblem {
                throw Self.problem(problem, at: place)
            }
            if !caller.isLocal {
                logger.notice(
                    "a dead letter was shown", metadata: ["place": "\(place)", "operator": "\(Self.who(caller))"])
            }
            return Response(json: json)
        }
        for (path, kind) in [("replay", DeadLetterMark.Kind.replayed), ("drop", .dropped)] {
            group.post("dead-letters/:position/\(path)") { _, context in
                let caller = try context.caller
                try caller.require(.operator)
                let view = gateway.view(for: try caller.viewer())
                let (place, who) = (try Self.place(context), Self.who(caller))
                do { try await view.resolveDeadLetter(at: place, kind, by: who, archive) } catch let problem
                    as GatewayProblem
                { throw Self.problem(problem, at: place) }
                logger.notice(
                    "a dead letter was \(kind.rawValue)", metadata: ["place": "\(place)", "operator": "\(who)"])
                return Response(.accepted, json: .object(["position": .string(place.description)]))
            }
        }
    }

    private static func place(_ context: ConsoleContext) throws -> LogPosition {
        let text = try context.name("position").text
        guard let place = LogPosition(text) else {
            throw HTTPProblem(
                .badRequest, "'\(text.prefix(64))' is no place of a dead letter: partition:offset, such as 0:17",
                .invalid,
                field: "position")
        }
        return place
    }

    private static func who(_ caller: Caller) -> String { caller.principal?.id.text ?? "console" }

    private static func problem(_ problem: GatewayProblem, at place: LogPosition) -> HTTPProblem {
        problem.reason == .unsupported ? .notFound("dead letter at \(place)") : HTTPProblem(problem)
    }
}
