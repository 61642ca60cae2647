import Conversation
import IntentEvents
import IntentKit
import Pipeline
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
            let message = "no handler for '\(invocation.intent)'"
            return .failed(IntentFailure(.reject, reason: .unsupported, message: message))
        }
        switch invocation.phase {
        case .resolve: return .resolved([dropOff(invocation), party(invocation)] + pin(invocation))
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
            case nil: .needsValue(dialog: "Where to?")
            case "Station": .disambiguation([option1, option2], dialog: nil)
            case "Stat": .confirmationRequired(.string("station-north"), dialog: "Station North?")
            case let value?: .success(.string(value))
            }
        return ResolvedParameter(name: "dropOff", title: "Drop-off", resolution: resolution)
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
        case "asks" where invocation.context.answers.isEmpty:
            .asked(PhaseQuestion(id: "which", kind: .choice([option1, option2]), dialog: "Which entrance?"))
        default: .responded(IntentResponse(.ready), confirmation: ConfirmationRequest(summary: "Book a ride"))
        }
    }

    private static func handle(_ invocation: IntentInvocation, _ report: @Sendable (IntentProgress) -> Void)
        -> PhaseOutcome
    {
        switch value("handle", invocation) {
        case "asks":
            guard let answer = invocation.context.answers.first(where: { $0.question == "tip" }) else {
                report(IntentProgress(fraction: 0.5, dialog: "Half way"))
                let hold = ["hold": JSON.string("H-1")]
                return .asked(PhaseQuestion(id: "tip", kind: .value, parameter: "tip", dialog: "Tip?", recorded: hold))
            }
            guard let hold = invocation.context.recorded["hold"] else {
                return .responded(IntentResponse("failureHoldIsLost"))
            }
            return .responded(IntentResponse(.success, values: ["tip": answer.value ?? .null, "hold": hold]))
        case "app": return .responded(IntentResponse(.continueInApp))
        case "retry" where invocation.context.attempt < 3:
            return .failed(IntentFailure(.retry(after: .seconds(5)), reason: .busy, message: "try again"))
        default: return .responded(IntentResponse(.success, values: ["attempt": .number(invocation.context.attempt)]))
        }
    }

    /// A request that ends at once, because its deadline has passed.
    static func tooLate(_ id: Identifier) -> SessionEvent {
        .requested(IntentRequest(id: id, intent: "Book", deadline: Instant(milliseconds: 0)))
    }

    static func request(_ id: Identifier, _ parameters: KeyValuePairs<String, String> = [:]) -> SessionEvent {
        .requested(IntentRequest(id: id, intent: "Book", parameters: .said(parameters)))
    }
}

/// A pipeline of bookings that records the calls of handlers. A handler is called at most once for each request.
struct RecordedBookings {
    let gate = Gate()
    /// The session and the request of each call, in order.
    let calls = Recorder<[Identifier]>()
    let pipeline: TestPipeline

    /// - Parameters:
    ///   - isGated: `true` if handlers wait at the gate. The handler of the request `stuck` always waits there, and
    ///     ignores its cancel.
    ///   - isOnce: `false` if handlers may be called again.
    init(
        partitions: Int32 = 1, isGated: Bool = false, isOnce: Bool = true,
        perform: @escaping Worker.Perform = Booking.perform
    ) async throws {
        pipeline = try await TestPipeline(partitions: partitions, gates: [gate]) { [calls, gate] invocation, report in
            if invocation.phase == .handle {
                let request = invocation.context.request
                calls.record([invocation.context.session, request])
                if isGated { try? await gate.pass() }
                if request == "stuck" { await Task { try? await gate.pass() }.value }
            }
            return await perform(invocation, report)
        }
        if isOnce { pipeline.policies = { _ in IntentPolicy(effect: .atMostOnce) } }
    }

    /// Starts all processes and requests a booking.
    func booked(_ request: Identifier = "r") async throws -> RecordedBookings {
        try pipeline.startAll()
        try await pipeline.book("s", request)
        return self
    }

    /// Lets the waiting handlers continue, and the pipeline settle.
    func open() async throws {
        gate.open()
        try await pipeline.settle()
    }

    /// The number of calls for a request.
    func count(_ request: Identifier = "r") -> Int { calls.all.count { $0[1] == request } }

    /// The completions of a session's requests, as lines.
    func completions(_ session: Identifier = "s") throws -> [String] { try pipeline.completions(session).map(\.line) }
}
