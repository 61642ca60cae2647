import HTTPTypes
import Hummingbird
import IntentEvents
import IntentModel
import Logging
import PersonGateway

/// The routes by which operators replay and drop dead letters.
struct OperatorRoutes: Sendable {
    let gateway: Gateway
    let archive: ResultArchive
    let logger: Logger

    func add(to group: RouterGroup<ConsoleContext>) {
        for (path, kind) in [("replay", DeadLetterMark.Kind.replayed), ("drop", .dropped)] {
            group.post("dead-letters/:position/\(path)") { _, context in
                let caller = try context.caller
                try caller.require(.operator)
                let view = gateway.view(for: try caller.viewer())
                let text = try context.parameters.require("position")
                guard let place = LogPosition(text.replacing("%3A", with: ":").replacing("%3a", with: ":")) else {
                    throw HTTPProblem(
                        .badRequest, "'\(text)' is no place of a dead letter: partition:offset, such as 0:17", .invalid,
                        field: "position")
                }
                let who = caller.principal?.id.text ?? "console"
                do { try await view.resolveDeadLetter(at: place, kind, by: who, archive) } catch let problem
                    as GatewayProblem
                {
                    throw problem.reason == .unsupported
                        ? HTTPProblem.notFound("dead letter at \(place)") : HTTPProblem(problem)
                }
                logger.notice(
                    "a dead letter was \(kind.rawValue)", metadata: ["place": "\(place)", "operator": "\(who)"])
                return Response(.accepted, json: .object(["position": .string(place.description)]))
            }
        }
    }
}
