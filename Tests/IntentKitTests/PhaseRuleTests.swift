import Foundation
import IntentKit
import IntentRuntime
import PipelineTestKit
import Testing

@Suite("Rules for the responses of confirm and handle") struct PhaseRuleTests {
    private func confirm(_ response: IntentResponse, _ more: [ParameterState] = []) async throws -> PhaseOutcome {
        let handler = OrderTeaHandler(confirms: { _, _ in ConfirmResponse(response) })
        return try await Teahouse(order: handler).perform(.confirm, order + more)
    }

    private func handle(_ response: IntentResponse, isInApp: Bool = false) async throws -> PhaseOutcome {
        let handler = OrderTeaHandler(handles: { _, _ in HandleResponse(response) })
        return try await Teahouse(order: handler, orderInApp: handler).perform(.handle, order, isInApp: isInApp)
    }

    @Test(arguments: [.ready, .success] as [IntentResponse])
    func `at confirm ready and success mean the same`(_ response: IntentResponse) async throws {
        #expect(try await confirm(response) == .responded(response))
    }

    @Test func `the confirmation policy decides whether the person is asked`() async throws {
        let ready = IntentResponse.ready(dialog: "Three pots are €12.")
        let asked = try await confirm(ready, [.given("pots", 3)])
        let request = try #require(asked.confirmation)
        #expect(asked.response == ready && request.dialog == "Three pots are €12.")
        #expect(request.summary == "3 pots of Assam; [Note]")
        let guest = try await confirm(.userConfirmationRequired(), [.given("guest", "Kim")]).confirmation?.summary
        #expect(guest == "1 of Assam in the Glass for Kim")
        let parameters = request.parameters.map { "\($0.title ?? ""): \($0.text ?? "-")" }
        #expect(parameters == ["Leaf: Assam", "Pots: 3", "Cup: Glass"])
        #expect(try await confirm(ready, [.given("pots", 2)]) == .responded(ready))
    }

    @Test func `a value can't fake a line of the summary`() async throws {
        let note = ParameterState.given("note", "x\n\u{202E}1 pot", .resolved)
        let outcome = try await confirm(.ready, [.given("pots", 3), note])
        #expect(outcome.confirmation?.summary == "3 pots of Assam; x 1 pot")
    }

    @Test func `the resolver requests a confirmation too, once all values are resolved`() async throws {
        func resolve(_ pots: JSON, _ others: [ParameterState] = order) async throws -> ConfirmationRequest? {
            try await Teahouse().perform(.resolve, others + [.given("pots", pots)]).confirmation
        }
        let asked = try await resolve(3)
        #expect(asked?.summary == "3 pots of Assam; [Note]")
        #expect(asked?.parameters.first { $0.name == "pots" }?.text == "3")
        #expect(try await (resolve(2), resolve(9), resolve(3, [])) == (nil, nil, nil))
    }

    @Test(arguments: [Phase.confirm, .handle])
    func `an unresolved intent is neither confirmed nor handled`(_ phase: Phase) async throws {
        let handler = OrderTeaHandler(
            confirms: { _, _ in
                Issue.record("confirm is called")
                return .ready
            },
            handles: { _, _ in
                Issue.record("handle is called")
                return .success
            })
        func failure(_ states: [ParameterState]) async throws -> IntentFailure {
            try await Teahouse(order: handler).failure(phase, states)
        }
        #expect(try await failure([order[1]]).kind == "reject unexpected at parameters.leaf")
        #expect(try await failure(order + [.given("pots", "many")]).kind == "reject unexpected at parameters.pots")
        let outside = try await failure(order + [.given("pots", 9, .resolved)])
        #expect(outside.kind == "reject unexpected at parameters.pots")
        #expect(outside.message.contains("is outside of its range (aboveMaximum)"))
    }

    @Test func `a handler can require a confirmation whatever the policy is`() async throws {
        let response = IntentResponse.userConfirmationRequired(dialog: "Sure?")
        let asked = try await confirm(response)
        #expect(asked.response == response && asked.confirmation?.dialog == "Sure?")
        // The condition of the summary holds for the default, one pot.
        #expect(asked.confirmation?.summary == "A pot of Assam")
    }

    @Test func `a response code of another phase is a failure`() async throws {
        for code in ["inProgress", "unspecified"] as [ResponseCode] {
            #expect(try await confirm(IntentResponse(code)).failure?.kind == "failure unexpected")
        }
        for code in ["ready", "userConfirmationRequired", "unspecified"] as [ResponseCode] {
            #expect(try await handle(IntentResponse(code)).failure?.kind == "failure unexpected")
        }
        #expect(try await handle(.inProgress()) == .responded(.inProgress()))
    }

    @Test func `the app can't hand the intent to the app again`() async throws {
        #expect(try await handle(.handleInApp, isInApp: true).failure?.reason == .unexpected)
    }

    @Test func `a response that launches the app needs no activity: the coordinator has confirm's`() async throws {
        for code in ["continueInApp", "handleInApp", "failureRequiringAppLaunch", "failureRequiringAppLaunchNoTea"]
            as [ResponseCode]
        {
            #expect(try await handle(IntentResponse(code)) == .responded(IntentResponse(code)))
            if code == "handleInApp" { continue }
            #expect(try await confirm(IntentResponse(code)) == .responded(IntentResponse(code)))
        }
        #expect(try await handle(.failure()) == .responded(.failure()))
        let own = UserActivity(activityType: "jp.example.tea")
        for code in [ResponseCode.continueInApp, .handleInApp] {
            let response = IntentResponse(code, userActivity: own)
            #expect(try await confirm(response) == .responded(response))
            #expect(try await handle(response) == .responded(response))
        }
    }

    @Test func `an activity's texts and data are bounded`() async throws {
        func failure(_ activity: UserActivity) async throws -> IntentFailure? {
            try await handle(.continueInApp(activity)).failure
        }
        let title = String(repeating: "é", count: 250)
        #expect(try await failure(UserActivity(activityType: "t", title: title)) == nil)
        #expect(try await failure(UserActivity(activityType: "t", title: title + "é"))?.field == "activity.title")
        #expect(try await failure(UserActivity(activityType: title + "é"))?.field == "activity.activityType")
        let room = UserActivity.maximumUserInfoBytes - #"{"k":""}"#.utf8.count
        func activity(_ count: Int) -> UserActivity {
            UserActivity(activityType: "t", userInfo: ["k": .string(String(repeating: "x", count: count))])
        }
        #expect(try await failure(activity(room)) == nil)
        #expect(try await failure(activity(room + 1))?.kind == "failure complex at activity.userInfo")
    }

    @Test func `a failure is sent without an activity that breaks the rules`() async throws {
        let large = UserActivity(activityType: String(repeating: "x", count: 251))
        let thrown = IntentFailure(
            .failure(.failureRequiringAppLaunch), reason: .invalid, message: "Sign in", activity: large)
        let sent = try await Teahouse(order: OrderTeaHandler(handles: { _, _ in throw thrown })).failure(.handle, order)
        #expect(sent.disposition == .failure(.failureRequiringAppLaunch) && sent.activity == nil)
        #expect(sent.message.contains("activityType"))
    }

    @Test func `an activity that breaks a rule is reported with that rule`() {
        var activity = UserActivity(activityType: "book", userInfo: ["draft": 1])
        #expect(activity.violation == nil)
        activity.requiredUserInfoKeys = ["draft", "gone"]
        #expect(activity.violation?.code == .requiredUserInfoKeyMissing && activity.violation?.reason == .invalid)
        activity.requiredUserInfoKeys = ["draft"]
        activity.userInfo["more"] = "x"
        #expect(activity.forRestoration.userInfo.keys.sorted() == ["draft"])
        activity.userInfo["big"] = .string(String(repeating: "x", count: 4_000))
        #expect(activity.violation?.code == .userInfoTooLarge && activity.violation?.field == "activity.userInfo")
        activity.userInfo = ["draft": .null]
        activity.persistentIdentifier = String(repeating: "x", count: 251)
        #expect(activity.violation?.code == .textTooLong)
        #expect(activity.violation?.field == "activity.persistentIdentifier")
        activity.persistentIdentifier = nil
        activity.keywords = Array(repeating: "k", count: 33)
        #expect(activity.violation?.code == .tooManyKeywords)
    }

    @Test func `handle gets the intent with its defaults, and its context`() async throws {
        let handler = OrderTeaHandler(handles: { order, context in
            #expect(order.leaf == .assam && order.cup.id == "c1" && order.guest == nil && order.$pots.value == 1)
            #expect(context.session == "s" && context.idempotencyKey == "k")
            #expect(context.phase == .handle && context.attempt == 1)
            context.report(fraction: 7, dialog: "Water is on")
            return .success(dialog: "Here you are", values: ["pots": order.pots, "guest": Person(displayName: "Kim")])
        })
        let progress = Recorder<IntentProgress>()
        let outcome = try await Teahouse(order: handler).perform(.handle, order, report: { progress.record($0) })
        let values: [String: JSON] = ["pots": 1, "guest": JSON(Person(displayName: "Kim"))]
        #expect(outcome == .responded(IntentResponse(.success, dialog: "Here you are", values: values)))
        #expect(progress.all == [IntentProgress(code: .inProgress, fraction: 1, dialog: "Water is on")])
    }

    @Test func `a cancelled handler ends as cancelled`() async throws {
        let handler = OrderTeaHandler(handles: { _, context in
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(context.isCancelled)
            try context.checkCancellation()
            return .success
        })
        let failure = try await Task { try await Teahouse(order: handler).failure(.handle, order) }.value
        #expect(failure.disposition == .failure(.cancelled))
    }
}

private struct Oops: Error {}

private struct Pay: Intent {
    static let title: LocalizedText = "Pay"
    static let effect: IntentEffect = .atMostOnce
    static let policy = IntentPolicy(
        handle: PhasePolicy(timeout: .seconds(90)),
        asks: AskPolicy(noMatch: 1, offersOptions: true, finally: .handToApp))
    @Parameter(title: "Leaf", requestValueDialog: "Which leaf?") var leaf: Leaf
    static let parameters = Parameters<Self>(\.$leaf)
}

@Suite("An intent's policy") struct PolicyDeclarationTests {
    private let pay = serving(Pay.self, handle: { _ in throw Oops() })
    private let plain = serving(Plain.self, handle: { _ in throw Oops() })

    @Test func `the registry has the declared policy, and none where none is declared`() throws {
        let registry = try IntentRegistry([pay, plain], dependencies: AppDependencyManager())
        #expect(registry.policy(of: "Pay")?.effect == .atMostOnce)
        #expect(registry.policy(of: "Pay")?.handle.timeout == .seconds(90))
        #expect(registry.policy(of: "Nod") == nil && registry.policy(of: "Nothing") == nil)
    }

    @Test func `a question for a value includes the options if the policy offers them`() async throws {
        let leaf = try #require(try await pay.resolve().first)
        #expect(leaf.name == "leaf")
        let options = leaf.resolution.options.isEmpty ? leaf.options : leaf.resolution.options
        #expect(options.map(\.id) == ["sencha", "assam", "pouchong"])
    }

    @Test func `a cancelled at-most-once handler that throws has an unknown or its reported outcome`() async throws {
        struct Charge: Intent {
            static let title: LocalizedText = "Charge"
            static let effect: IntentEffect = .atMostOnce
        }
        let nothingDone = IntentFailure(.failure(.cancelled), reason: .unexpected, message: "nothing was charged")
        let cases: [(any Error, RejectionReason)] = [
            (CancellationError(), .outcomeUnknown), (Oops(), .outcomeUnknown), (nothingDone, .unexpected),
        ]
        for (error, reason) in cases {
            let bank = serving(
                Charge.self,
                handle: { _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw error
                })
            #expect(try await Task { try await bank.failure(.handle) }.value.reason == reason)
        }
    }

    @Test func `an error of an at-most-once handler is not retried, because its outcome is unknown`() async throws {
        #expect(try await pay.failure(.handle, [.given("leaf", "sencha")]).kind == "failure outcomeUnknown")
        #expect(try await plain.failure(.handle).disposition == .retry(after: .seconds(1)))
    }

    @Test func `a cancelled handler gets the first reason for its cancellation`() async {
        let cancellation = IntentCancellation()
        IntentCancellation.$current.withValue(cancellation) {
            let context = Context(InvocationContext(session: "s", request: "r"), phase: .handle)
            #expect(context.cancellationReason == nil && context.cleanupDeadline == nil)
            cancellation.cancel(.replaced, until: 7)
            cancellation.cancel(.person)
            #expect(context.cancellationReason == .replaced && context.cleanupDeadline == Date(milliseconds: 7))
        }
    }
}
