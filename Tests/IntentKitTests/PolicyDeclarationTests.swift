import Foundation
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("An intent's policy")
struct PolicyDeclarationTests {
    struct Pay: Intent {
        static let title: LocalizedText = "Pay"
        static let effect: IntentEffect = .atMostOnce
        static let policy = IntentPolicy(
            handle: PhasePolicy(timeout: .seconds(90)),
            asks: AskPolicy(noMatch: 1, offersOptions: true, finally: .handToApp))
        @Parameter(title: "Leaf", requestValueDialog: "Which leaf?") var leaf: Leaf
        static let parameters = Parameters<Self>(\.$leaf)
    }

    struct Plain: Intent { static let title: LocalizedText = "Plain" }

    struct Oops: Error {}

    struct PayHandler: IntentHandling {
        func handle(_ intent: Pay, context: Context) async throws -> HandleResponse { throw Oops() }
    }

    struct PlainHandler: IntentHandling {
        func handle(_ intent: Plain, context: Context) async throws -> HandleResponse { throw Oops() }
    }

    struct Shop: IntentExtension {
        var intents: [any Intent.Type] { [Pay.self, Plain.self] }
        func handler(for intent: any Intent) -> (any IntentHandler)? {
            switch intent {
            case is Pay: PayHandler()
            case is Plain: PlainHandler()
            default: nil
            }
        }
    }

    private func perform(_ phase: Phase, _ intent: String, _ leaf: String?) async throws -> PhaseOutcome {
        let registry = try IntentRegistry([Shop()], dependencies: AppDependencyManager())
        let parameters = leaf.map { [ParameterState(name: "leaf", value: .string($0))] } ?? []
        return await registry.perform(phase, intent, parameters)
    }

    @Test("the registry has the declared policy, and none where none is declared")
    func told() throws {
        let registry = try IntentRegistry([Shop()], dependencies: AppDependencyManager())
        #expect(registry.policy(of: "Pay")?.effect == .atMostOnce)
        #expect(registry.policy(of: "Pay")?.handle.timeout == .seconds(90))
        #expect(registry.policy(of: "Plain") == nil && registry.policy(of: "Nothing") == nil)
    }

    @Test("a question for a value includes the options if the policy offers them")
    func alternatives() async throws {
        guard case .resolved(let parameters, _, _, _) = try await perform(.resolve, "Pay", nil) else {
            Issue.record("not resolved")
            return
        }
        #expect(parameters.map(\.name) == ["leaf"])
        if case .disambiguation = parameters[0].resolution { return }
        #expect(parameters[0].options.map(\.id) == ["sencha", "assam", "pouchong"])
    }

    @Test(
        "a cancelled at-most-once handler that throws has an unknown outcome, if it does not report that it was cancelled"
    )
    func calledOff() async throws {
        struct Charge: Intent {
            static let title: LocalizedText = "Charge"
            static let effect: IntentEffect = .atMostOnce
        }
        struct Handler: IntentHandling {
            let error: any Error
            func handle(_ intent: Charge, context: Context) async throws -> HandleResponse {
                withUnsafeCurrentTask { $0?.cancel() }
                throw error
            }
        }
        struct Bank: IntentExtension {
            let handler: Handler
            let intents: [any Intent.Type] = [Charge.self]
            func handler(for intent: any Intent) -> (any IntentHandler)? { handler }
        }
        struct Broken: Error {}
        let nothingDone = IntentFailure(.failure(.cancelled), reason: .unexpected, message: "nothing was charged")
        for (error, reason) in [
            (CancellationError(), RejectionReason.outcomeUnknown), (Broken(), .outcomeUnknown),
            (nothingDone, .unexpected),
        ]
            as [(any Error, RejectionReason)]
        {
            let registry = try IntentRegistry(
                [Bank(handler: Handler(error: error))], dependencies: AppDependencyManager())
            let outcome = await Task { await registry.perform(.handle, "Charge") }.value
            guard case .failed(let failure) = outcome else {
                Issue.record("not failed")
                continue
            }
            #expect(failure.reason == reason)
        }
    }

    @Test("an error of an at-most-once handler is not retried, because its outcome is unknown")
    func thrown() async throws {
        guard case .failed(let failure) = try await perform(.handle, "Pay", "sencha") else {
            Issue.record("not failed")
            return
        }
        #expect(failure.disposition == .failure(.failure) && failure.reason == .outcomeUnknown)
        guard case .failed(let other) = try await perform(.handle, "Plain", nil) else {
            Issue.record("not failed")
            return
        }
        #expect(other.disposition == .retry(after: .seconds(1)))
    }

    @Test("a cancelled handler gets the first reason for its cancellation")
    func cancellation() async {
        let cancellation = IntentCancellation()
        IntentCancellation.$current.withValue(cancellation) {
            let context = Context(InvocationContext(session: "s", request: "r"), phase: .handle)
            #expect(context.cancellationReason == nil && context.cleanupDeadline == nil)
            cancellation.cancel(.replaced, until: 7)
            cancellation.cancel(.person)
            #expect(context.cancellationReason == .replaced && context.cleanupDeadline == Date(milliseconds: 7))
        }
    }

    @Test("an activity that breaks a rule is reported with that rule")
    func activities() {
        var activity = UserActivity(activityType: "book", userInfo: ["draft": .number(1)])
        #expect(activity.violation == nil)
        activity.requiredUserInfoKeys = ["draft", "gone"]
        #expect(activity.violation?.code == .requiredUserInfoKeyMissing && activity.violation?.reason == .invalid)
        activity.requiredUserInfoKeys = ["draft"]
        activity.userInfo["more"] = .string("x")
        #expect(activity.forRestoration.userInfo.keys.sorted() == ["draft"])
        activity.userInfo["big"] = .string(String(repeating: "x", count: 4_000))
        #expect(activity.violation?.code == .userInfoTooLarge && activity.violation?.field == "activity.userInfo")
        activity.userInfo = ["draft": .null]
        activity.persistentIdentifier = String(repeating: "x", count: 251)
        #expect(
            activity.violation?.code == .textTooLong && activity.violation?.field == "activity.persistentIdentifier")
        activity.persistentIdentifier = nil
        activity.keywords = Array(repeating: "k", count: 33)
        #expect(activity.violation?.code == .tooManyKeywords)
    }
}
