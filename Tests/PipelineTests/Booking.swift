import Conversation
import IntentEvents
import IntentKit
import PipelineTestKit
import RecordLog

/// A domain with one intent that asks every kind of question.
enum Booking {
    static let option1 = ParameterOption(id: "n", title: "Station North", value: .string("station-north"))
    static let option2 = ParameterOption(id: "s", title: "Station South", value: .string("station-south"))

    @Sendable static func perform(_ invocation: IntentInvocation, _ report: @Sendable (IntentProgress) -> Void) async
        -> PhaseOutcome
    {
        guard invocation.intent == "Book" else {
            return .failed(
                IntentFailure(.reject, reason: .unsupported, message: "no handler for '\(invocation.intent)'"))
        }
        switch invocation.phase {
        case .resolve:
            return .resolved([dropOff(invocation), party(invocation)] + friends(invocation) + pin(invocation))
        case .confirm: return confirm(invocation)
        case .handle: return handle(invocation, report)
        }
    }

    private static func value(_ name: String, _ invocation: IntentInvocation) -> String? {
        invocation.parameters.first { $0.name == name }?.value?.view.string
    }

    private static func dropOff(_ invocation: IntentInvocation) -> ResolvedParameter {
        let resolution: ParameterResolution =
            switch value("dropOff", invocation) {
            case nil where invocation.context.memory["home"] != nil:
                .success(invocation.context.memory["home"] ?? .null)
            case nil: .needsValue(dialog: "Where to?")
            case "Station": .disambiguation([option1, option2], dialog: nil)
            case "Stat": .confirmationRequired(.string("station-north"), dialog: "Station North?")
            case "Moon": .unsupported(reason: "outsideServiceArea", dialog: nil)
            case let value?: .success(.string(value))
            }
        let isHome = value("dropOff", invocation) == "Home"
        return ResolvedParameter(
            name: "dropOff", title: "Drop-off", resolution: resolution, memoryKey: isHome ? "home" : nil)
    }

    /// Resolves `friends`. Names that begin with a capital letter are known.
    private static func friends(_ invocation: IntentInvocation) -> [ResolvedParameter] {
        guard let state = invocation.parameters.first(where: { $0.name == "friends" }), let value = state.value else {
            return []
        }
        let list = value.view.elements.map(\.json)
        let open = list.indices.filter { list[$0].view.string?.first?.isLowercase ?? true }
        guard let first = open.first else { return [ResolvedParameter(name: "friends", resolution: .success(value))] }
        let origins = list.indices.map {
            open.contains($0) ? ParameterState.Origin.given : state.elements?[$0] ?? .resolved
        }
        return [
            ResolvedParameter(
                name: "friends", title: "Friends", resolution: .unsupported(reason: "noMatch", dialog: nil),
                element: ListElement(index: first, list: list, origins: origins))
        ]
    }

    private static func pin(_ invocation: IntentInvocation) -> [ResolvedParameter] {
        guard let pin = value("pin", invocation) else { return [] }
        let known = invocation.parameters.first { $0.name == "pin" }?.origin == .confirmed
        let resolution: ParameterResolution =
            known ? .success(.string(pin)) : .confirmationRequired(.string(pin), dialog: nil)
        return [ResolvedParameter(name: "pin", title: "PIN", resolution: resolution, isSecret: true, memoryKey: "pin")]
    }

    private static func party(_ invocation: IntentInvocation) -> ResolvedParameter {
        ResolvedParameter(
            name: "party", resolution: value("party", invocation).map { .success(.string($0)) } ?? .notRequired)
    }

    private static func confirm(_ invocation: IntentInvocation) -> PhaseOutcome {
        switch value("confirm", invocation) {
        case "none": .responded(IntentResponse(.ready))
        case "app":
            .responded(IntentResponse(.continueInApp, userActivity: UserActivity(activityType: "com.example.book")))
        case "background": .responded(IntentResponse(.handleInApp))
        case "fail": .responded(IntentResponse("failureRequiringAppLaunchNoServiceInArea"))
        case "asks" where invocation.context.answers.isEmpty:
            .asked(PhaseQuestion(id: "which", kind: .choice([option1, option2]), dialog: "Which entrance?"))
        case "quote": quote
        default: .responded(IntentResponse(.ready), confirmation: ConfirmationRequest(summary: "Book a ride"))
        }
    }

    private static var quote: PhaseOutcome {
        var response = IntentResponse(.ready)
        response.validFor = .seconds(30)
        return .responded(response, confirmation: ConfirmationRequest(summary: "Book a ride"))
    }

    private static func handle(_ invocation: IntentInvocation, _ report: @Sendable (IntentProgress) -> Void)
        -> PhaseOutcome
    {
        switch value("handle", invocation) {
        case "asks":
            let answer = invocation.context.answers.first { $0.question == "tip" }
            guard let answer else {
                report(IntentProgress(fraction: 0.5, dialog: "Half way"))
                return .asked(
                    PhaseQuestion(
                        id: "tip", kind: .value, parameter: "tip", dialog: "A tip?", recorded: ["hold": .string("H-1")])
                )
            }
            guard let hold = invocation.context.recorded["hold"] else {
                return .responded(IntentResponse("failureHoldIsLost"))
            }
            return .responded(IntentResponse(.success, values: ["tip": answer.value ?? .null, "hold": hold]))
        case "opens":
            var response = IntentResponse(.success)
            response.items = [option1, option2]
            response.opensIntent = OpenedIntent(
                intent: "Book", parameters: ["dropOff": .string("Home"), "confirm": .string("none")])
            return .responded(response)
        case "slow":
            report(IntentProgress(fraction: 0.5, dialog: "Half way"))
            return .responded(IntentResponse(.success, dialog: "Booked"))
        case "app": return .responded(IntentResponse(.continueInApp))
        case "background" where !invocation.context.isInApp: return .responded(IntentResponse(.handleInApp))
        case "retry" where invocation.context.attempt < 3:
            return .failed(IntentFailure(.retry(after: .seconds(5)), reason: .busy, message: "try again"))
        case "fail": return .responded(IntentResponse("failure"))
        default: return .responded(IntentResponse(.success, values: ["attempt": .number(invocation.context.attempt)]))
        }
    }

    /// A request that ends at once, because its deadline has passed.
    static func tooLate(_ id: Identifier) -> SessionEvent {
        .requested(IntentRequest(id: id, intent: "Book", deadline: Instant(milliseconds: 0)))
    }

    static func request(_ id: Identifier, _ parameters: KeyValuePairs<String, String> = [:]) -> SessionEvent {
        .requested(
            IntentRequest(
                id: id, intent: "Book", parameters: parameters.map { ParameterState(name: $0, value: .string($1)) }))
    }
}
