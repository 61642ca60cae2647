import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

private struct Delivery: Intent {
    static let title: LocalizedText = "Where is my parcel?"
    static let effect: IntentEffect = .atMostOnce
    @Parameter(title: "Parcel") var parcel: String
    static let parameters = Parameters<Self>(\.$parcel)
}

private struct Parcels: IntentHandling, LiveUpdating {
    struct Lost: Error {}
    var tells: @Sendable (Delivery, UpdateObserver, Context) async throws -> Void

    func handle(_ delivery: Delivery, context: Context) async throws -> HandleResponse { .success }
    func sendUpdates(for delivery: Delivery, to observer: UpdateObserver, context: Context) async throws {
        try await tells(delivery, observer, context)
    }
}

private struct Quiet: IntentHandling {
    func handle(_ delivery: Delivery, context: Context) async throws -> HandleResponse { .success }
}

private struct Post: IntentExtension {
    let handler: any IntentHandler
    let intents: [any Intent.Type] = [Delivery.self]
    func handler(for intent: any Intent) -> (any IntentHandler)? { handler }
}

@Suite("A handler sends live updates")
struct LiveUpdatingTests {
    private func follow(
        _ handler: any IntentHandler, parcel: String? = "P-1", phase: Phase = .handle, isUpdating: Bool = true
    ) async throws -> (outcome: PhaseOutcome, updates: [IntentUpdate]) {
        let told = Recorder<IntentUpdate>()
        let states = parcel.map { [ParameterState(name: "parcel", value: .string($0), origin: .resolved)] } ?? []
        let context = InvocationContext(session: "s", request: "r", memory: ["city": .string("Cork")])
        var invocation = IntentInvocation(phase: phase, intent: "Delivery", parameters: states, context: context)
        invocation.isUpdating = isUpdating
        let registry = try IntentRegistry([Post(handler: handler)], dependencies: AppDependencyManager())
        let outcome = await registry.perform(invocation) { progress in
            if let update = progress.update { told.record(update) }
        }
        return (outcome, told.all)
    }

    @Test("sendUpdates gets the same intent as handle, and ends with success")
    func sameIntent() async throws {
        let (outcome, updates) = try await follow(
            Parcels { delivery, observer, context in
                observer.didUpdate(IntentUpdate(phase: "ongoing", dialog: "\(delivery.parcel) is on its way"))
                observer.didUpdate(IntentUpdate(phase: "completed", completionStatus: "completed"))
            })
        #expect(outcome == .responded(.success))
        #expect(updates.map(\.phase) == ["ongoing", "completed"] && updates.first?.dialog == "P-1 is on its way")
    }

    @Test("only a handler with live updates offers them")
    func offered() async throws {
        guard case .responded(let offering, _) = try await follow(Parcels { _, _, _ in }, isUpdating: false).outcome,
            case .responded(let quiet, _) = try await follow(Quiet(), isUpdating: false).outcome
        else {
            Issue.record("no response")
            return
        }
        #expect(offering.offersUpdates && !quiet.offersUpdates)
    }

    @Test("a handler without live updates rejects a request for them")
    func unsupported() async throws {
        let failure = try await follow(Quiet()).outcome.failure
        #expect(failure?.disposition == .reject && failure?.reason == .unsupported)
        #expect(failure?.message == "the handler of 'Delivery' does not report updates after success")
    }

    @Test("an intent without its required values sends no updates")
    func incomplete() async throws {
        let (outcome, updates) = try await follow(
            Parcels { _, observer, _ in observer.didUpdate(IntentUpdate(phase: "ongoing")) }, parcel: nil)
        #expect(outcome.failure?.field == "parameters.parcel" && updates.isEmpty)
    }

    @Test("an error is retried even for an at-most-once intent, because updates are not its effect")
    func retried() async throws {
        let failure = try await follow(Parcels { _, _, _ in throw Parcels.Lost() }).outcome.failure
        #expect(failure?.disposition == .retry(after: .seconds(1)) && failure?.reason == .internal)
        #expect(failure?.message == "the updates of Delivery threw Lost")
    }

    @Test("a question from sendUpdates is reported as one")
    func question() async throws {
        let (outcome, _) = try await follow(
            Parcels { delivery, _, _ in _ = try await delivery.$parcel.requestValue("Which?") })
        guard case .asked = outcome else {
            Issue.record("\(outcome)")
            return
        }
    }
}
