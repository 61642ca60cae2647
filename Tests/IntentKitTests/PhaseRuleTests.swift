import IntentKit
import PipelineTestKit
import Testing

@Suite("Rules for the responses of confirm and handle")
struct PhaseRuleTests {
    private func confirm(
        _ response: IntentResponse, _ parameters: [ParameterState] = order
    ) async throws -> PhaseOutcome {
        try await Teahouse(order: OrderTeaHandler(confirms: { _, _ in ConfirmResponse(response) })).perform(
            .confirm, parameters)
    }

    private func handle(_ response: IntentResponse, isInApp: Bool = false) async throws -> PhaseOutcome {
        let handler = OrderTeaHandler(handles: { _, _ in HandleResponse(response) })
        return try await Teahouse(order: handler, orderInApp: handler).perform(.handle, order, isInApp: isInApp)
    }

    private func failure(_ outcome: PhaseOutcome) -> IntentFailure? {
        if case .failed(let failure) = outcome { failure } else { nil }
    }

    @Test("at confirm ready and success mean the same")
    func readyAndSuccess() async throws {
        #expect(try await confirm(.ready) == .responded(.ready))
        #expect(try await confirm(.success) == .responded(.success))
    }

    @Test("the confirmation policy decides whether the person is asked")
    func policy() async throws {
        let ready = IntentResponse.ready(dialog: "Three pots are €12.")
        let asked = try await confirm(ready, order + [.given("pots", json: "3")])
        #expect(asked.response == ready && asked.confirmation?.dialog == "Three pots are €12.")
        #expect(asked.confirmation?.summary == "3 pots of Assam; [Note]")
        #expect(
            asked.confirmation?.parameters.map { "\($0.title ?? ""): \($0.text ?? "-")" } == [
                "Leaf: Assam", "Pots: 3", "Cup: Glass",
            ])
        #expect(try await confirm(ready, order + [.given("pots", json: "2")]) == .responded(ready))
    }

    @Test("a value can't fake a line of the summary")
    func summaryOnOneLine() async throws {
        let note = ParameterState(name: "note", value: .string("x\n\u{202E}1 pot"), origin: .resolved)
        let outcome = try await confirm(.ready, order + [.given("pots", json: "3"), note])
        #expect(outcome.confirmation?.summary == "3 pots of Assam; x 1 pot")
    }

    @Test("the resolver says so too, once all values are resolved")
    func policyAtResolve() async throws {
        func resolve(_ pots: String) async throws -> PhaseOutcome {
            try await Teahouse(order: OrderTeaHandler()).perform(.resolve, order + [.given("pots", json: pots)])
        }
        let asked = try await resolve("3").confirmation
        #expect(
            asked?.summary == "3 pots of Assam; [Note]" && asked?.parameters.first { $0.name == "pots" }?.text == "3")
        #expect(try await resolve("2").confirmation == nil)
        #expect(try await resolve("9").confirmation == nil)
        let open = try await Teahouse(order: OrderTeaHandler()).perform(.resolve, [.given("pots", json: "3")])
        #expect(open.confirmation == nil)
    }

    @Test(
        "a value that its declaration does not allow reaches neither confirm nor handle",
        arguments: [Phase.confirm, .handle])
    func valueOutsideOfItsRange(_ phase: Phase) async throws {
        let handler = OrderTeaHandler(
            confirms: { _, _ in
                Issue.record("confirm is called")
                return .ready
            },
            handles: { _, _ in
                Issue.record("handle is called")
                return .success
            })
        var pots = ParameterState.given("pots", json: "9")
        pots.origin = .resolved
        let found = failure(try await Teahouse(order: handler).perform(phase, order + [pots]))
        #expect(found?.disposition == .reject && found?.field == "parameters.pots")
        #expect(found?.message.contains("is outside of its range (aboveMaximum)") == true)
    }

    @Test("a handler can require a confirmation whatever the policy is")
    func handlerAsks() async throws {
        let response = IntentResponse.userConfirmationRequired(dialog: "Sure?")
        let asked = try await confirm(response)
        #expect(
            asked.response == response && asked.confirmation?.dialog == "Sure?"
                && asked.confirmation?.summary == "A pot of Assam")
    }

    @Test("a response code of another phase is a failure")
    func otherPhase() async throws {
        for code in ["inProgress", "unspecified"] as [ResponseCode] {
            let found = failure(try await confirm(IntentResponse(code)))
            #expect(found?.disposition == .failure(.failure) && found?.reason == .unexpected)
        }
        for code in ["ready", "userConfirmationRequired", "unspecified"] as [ResponseCode] {
            let found = failure(try await handle(IntentResponse(code)))
            #expect(found?.disposition == .failure(.failure) && found?.reason == .unexpected)
        }
        #expect(try await handle(.inProgress()) == .responded(.inProgress()))
    }

    @Test("the app can't hand the intent to the app again")
    func appHandsOver() async throws {
        #expect(failure(try await handle(.handleInApp, isInApp: true))?.reason == .unexpected)
    }

    @Test("a response that launches the app always has an activity")
    func defaultActivity() async throws {
        let values: [String: JSON] = [
            "leaf": .string("assam"), "pots": .number(1), "cup": JSON(Cup(id: "c1", title: "Glass")),
        ]
        for code in ["continueInApp", "handleInApp", "failureRequiringAppLaunch", "failureRequiringAppLaunchNoTea"]
            as [ResponseCode]
        {
            guard case .responded(let response, nil) = try await handle(IntentResponse(code)) else {
                Issue.record("\(code)")
                continue
            }
            #expect(response.userActivity == UserActivity(activityType: "OrderTea", userInfo: values))
        }
        #expect(try await handle(.failure()) == .responded(.failure()))
        let own = UserActivity(activityType: "jp.example.tea")
        #expect(try await handle(.continueInApp(own)) == .responded(.continueInApp(own)))
    }

    @Test("an activity's texts and data are bounded")
    func activityBounds() async throws {
        func tell(_ activity: UserActivity) async throws -> IntentFailure? {
            failure(try await handle(.continueInApp(activity)))
        }
        let title = String(repeating: "é", count: 250)
        #expect(try await tell(UserActivity(activityType: "t", title: title)) == nil)
        #expect(try await tell(UserActivity(activityType: "t", title: title + "é"))?.field == "activity.title")
        #expect(try await tell(UserActivity(activityType: title + "é"))?.field == "activity.activityType")
        let room = UserActivity.maximumUserInfoBytes - #"{"k":""}"#.utf8.count
        let full = UserActivity(activityType: "t", userInfo: ["k": .string(String(repeating: "x", count: room))])
        #expect(try await tell(full) == nil)
        var over = full
        over.userInfo["k"] = .string(String(repeating: "x", count: room + 1))
        let found = try await tell(over)
        #expect(
            found?.field == "activity.userInfo" && found?.reason == .complex && found?.disposition == .failure(.failure)
        )
    }

    @Test("a default activity leaves out values that don't fit")
    func activitySize() async throws {
        let long = order + [.given("note", String(repeating: "x", count: 4000))]
        let handler = OrderTeaHandler(handles: { _, _ in .continueInApp() })
        guard case .responded(let response, _) = try await Teahouse(order: handler).perform(.handle, long) else {
            return
        }
        #expect(response.userActivity?.userInfo.keys.sorted() == ["cup", "leaf", "pots"])
    }

    @Test("an unresolved intent is neither confirmed nor handled")
    func unresolved() async throws {
        for phase in [Phase.confirm, .handle] {
            let missing = failure(try await Teahouse().perform(phase, Array(order.dropFirst())))
            #expect(
                missing?.disposition == .reject && missing?.reason == .unexpected && missing?.field == "parameters.leaf"
            )
            let unread = failure(try await Teahouse().perform(phase, order + [.given("pots", "many")]))
            #expect(
                unread?.disposition == .reject && unread?.reason == .unexpected && unread?.field == "parameters.pots")
        }
    }

    @Test("handle gets the intent with its defaults, and its context")
    func handled() async throws {
        let handler = OrderTeaHandler(handles: { order, context in
            #expect(order.leaf == .assam && order.cup.id == "c1" && order.guest == nil)
            #expect(order.$pots.value == 1)
            #expect(
                context.session == "s" && context.idempotencyKey == "k" && context.phase == .handle
                    && context.attempt == 1)
            context.report(fraction: 7, dialog: "Water is on")
            return .success(dialog: "Here you are", values: ["pots": order.pots, "guest": Person(displayName: "Kim")])
        })
        let progress = Recorder<IntentProgress>()
        let outcome = try await Teahouse(order: handler).perform(.handle, order, report: { progress.record($0) })
        let values: [String: JSON] = ["pots": .number(1), "guest": JSON(Person(displayName: "Kim"))]
        #expect(outcome == .responded(IntentResponse(.success, dialog: "Here you are", values: values)))
        #expect(progress.all == [IntentProgress(code: .inProgress, fraction: 1, dialog: "Water is on")])
    }

    @Test("a cancelled handler ends as cancelled")
    func cancelled() async throws {
        let handler = OrderTeaHandler(handles: { _, context in
            withUnsafeCurrentTask { $0?.cancel() }
            #expect(context.isCancelled)
            try context.checkCancellation()
            return .success
        })
        let outcome = try await Task { try await Teahouse(order: handler).perform(.handle, order) }.value
        #expect(failure(outcome)?.disposition == .failure(.cancelled))
    }

    @Test("in the app the app's handler is called")
    func inApp() async throws {
        let inApp = OrderTeaHandler(handles: { _, context in .success(dialog: context.isInApp ? "app" : "extension") })
        let outcome = try await Teahouse(orderInApp: inApp).perform(.handle, order, isInApp: true)
        #expect(outcome == .responded(.success(dialog: "app")))
    }

    @Test("a failure is sent without an activity that breaks the rules")
    func invalidActivity() async throws {
        let large = UserActivity(activityType: String(repeating: "x", count: 251))
        let thrown = IntentFailure(
            .failure(.failureRequiringAppLaunch), reason: .invalid, message: "Sign in", activity: large)
        let handler = OrderTeaHandler(handles: { _, _ in throw thrown })
        let found = failure(try await Teahouse(order: handler).perform(.handle, order))
        #expect(found?.disposition == .failure(.failureRequiringAppLaunch) && found?.activity == nil)
        #expect(found?.message.contains("activityType") == true)
    }
}
