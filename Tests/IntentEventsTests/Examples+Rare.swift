import Conversation
import IntentEvents
import IntentModel

// The examples of rare members, so that each member of the contract is in a golden file.
extension Examples {
    /// A declaration of a parameter with every member.
    private static let fullDeclaration = JSON.object([
        "type": .object([
            "name": .string("Int"), "description": .string("a whole number"),
            "schema": .object(["type": .string("integer")]),
        ]), "required": .bool(false), "description": .string("How many bags there are."),
        "range": .object(["minimum": .number(0), "maximum": .number(20), "text": .string("0 to 20")]),
        "size": .object(["minimum": .number(1), "maximum": .number(4)]), "sensitivity": .string("public"),
        "input": .object([
            "keyboardType": .string("numberPad"), "capitalizationType": .string("none"), "multiline": .bool(false),
            "autocorrect": .bool(false),
            "smartQuotes": .bool(false), "smartDashes": .bool(false),
        ]),
    ])

    private static let fullAction = ConfirmationAction(
        name: "book", acceptLabel: "Book it", acceptAlternatives: ["go ahead"], denyLabel: "Not now",
        denyAlternatives: ["later"])

    private static let confirmedRide = PromptParameter(name: "dropOff", title: "Drop-off", text: "Station South")

    private static var declared: Prompt {
        var prompt = Prompt(
            id: "ride-1.4.9b1deb4d3b7d4bad", intent: "RequestRide", kind: .value, parameter: "bags",
            dialog: "How many bags does each have?",
            expires: time.advanced(by: .seconds(120)))
        prompt.declaration = fullDeclaration
        prompt.action = fullAction
        var remembered = PromptParameter(
            name: "dropOff", title: "Drop-off", text: "Station South", value: .string("station-south"))
        (remembered.source, remembered.reason) = (.remembered, "as last time")
        var open = PromptParameter(name: "ride", title: "Ride", isMissing: true)
        open.omitsOptions = true
        prompt.parameters = [remembered, open]
        return prompt
    }

    private static var ofPerson: Completion {
        var home = ParameterState(name: "dropOff", value: .string("station-south"), origin: .resolved)
        home.provenance = ParameterState.Provenance(source: .remembered)
        home.provenance?.note(intent: "RequestRide", time: "2026-02-28T08:00:00.000Z")
        return Completion(intent: "RequestRide", status: .success, code: .success, parameters: [home], turns: 0)
    }

    static let rareResults: KeyValuePairs<String, SessionResult.Body> = [
        "prompt.issued.v1.declaration": .prompted(declared),
        "intent.completed.v1.remembered": .completed(ofPerson),
        "request.rejected.v1.busy": .rejected(
            Rejection(
                .busy, "this partition has no room for the event at the moment; try again later",
                retryAfter: .seconds(60))),
        "memory.forgotten.v1": .memoryForgotten(
            ForgottenMemory(event: "event-5", keys: ["home", "payment"], count: 2)),
        "memory.forgotten.v1.all": .memoryForgotten(ForgottenMemory(event: "event-5", keys: nil, count: nil)),
    ]

    private static func address(_ phase: Phase, _ step: Int, isInApp: Bool = false) -> WorkAddress {
        var address = WorkAddress(request: "ride-1", step: step, intent: "RequestRide", phase: phase, isInApp: isInApp)
        address.service = "tea"
        return address
    }

    private static func clocked(_ address: WorkAddress) -> WorkItem {
        var item = WorkItem(
            address, parameters: parameters, deadline: time.advanced(by: .seconds(60)), idempotencyKey: "kitchen/ride-1"
        )
        (item.timeZone, item.now, item.ticket, item.principal) = ("Europe/Amsterdam", time, ticket, principal)
        return item
    }

    static let rareWork: KeyValuePairs<String, Work> = [
        "intent.confirm.v1.clock": .item(clocked(address(.confirm, 7))),
        "intent.handle.v1.clock": .item(clocked(address(.handle, 9))),
        "intent.update.v1.inApp": .update(clocked(address(.handle, 10, isInApp: true))),
        "intent.cancel.v1.inApp": .cancel(WorkCancel(address(.confirm, 7, isInApp: true), reason: .person)),
        "intent.permit.v1.inApp": .permit(WorkPermit(address(.handle, 9, isInApp: true), claim: "1y2p0ij32e8e7.17")),
    ]

    private static var displayed: IntentResponse {
        var response = IntentResponse(.ready, dialog: "Mia can be there in 4 minutes.")
        response.supportingDialog = "In 4 minutes"
        response.snippet = Snippet(plain: "Mia", image: .named("mia"))
        return response
    }

    private static var launching: IntentResponse {
        var response = IntentResponse(
            .failureRequiringAppLaunch, userActivity: activity, dialog: "Your card has expired.")
        response.rememberedForPerson = ["home": .string("station-south")]
        return response
    }

    private static var form: PhaseQuestion {
        var question = PhaseQuestion(
            id: "bags", kind: .value, parameter: "bags", title: "Bags", dialog: "How many bags?")
        question.declaration = fullDeclaration
        question.parameters = [confirmedRide]
        question.action = fullAction
        return question
    }

    private static var kept: ResolvedParameter {
        var parameter = ResolvedParameter(
            name: "dropOff", resolution: .success(.string("station-south")), memoryKey: "home")
        parameter.memoryScope = .person
        return parameter
    }

    static let rareOutcomes: KeyValuePairs<String, (Phase, Outcome.Content)> = [
        "intent.resolved.v1.cancelled": (.resolve, .cancelled),
        "intent.resolved.v1.person": (.resolve, .finished(.resolved([kept]))),
        "intent.resolved.v1.policy.fail": (.resolve, .finished(.resolved([kept]))),
        "intent.confirmed.v1.cancelled": (.confirm, .cancelled),
        "intent.confirmed.v1.failure": (
            .confirm,
            .finished(.failed(IntentFailure(.failure(.failure), reason: .internal, message: "the tariff is not known")))
        ),
        "intent.confirmed.v1.display": (.confirm, .finished(.responded(displayed))),
        "intent.confirmed.v1.ask.form": (.confirm, .finished(.asked(form))),
        "intent.handled.v1.claim": (.handle, .finished(.responded(IntentResponse(.success)))),
        "intent.handled.v1.launch": (.handle, .finished(.responded(launching))),
    ]

    static let failingPolicy = IntentPolicy(
        asks: AskPolicy(noAnswer: 1, offersOptions: false, finally: .fail("failureNoAnswer")))

    /// An intent with every member, and a parameter with every member.
    static let fullIntent = PublishedIntent(
        intent: "OrderTea", title: "Order tea",
        details: [
            "parameters": .array([
                .object([
                    "name": .string("kind"), "title": .string("Kind"), "description": .string("Which tea."),
                    "required": .bool(true),
                    "type": .object([
                        "name": .string("Tea"),
                        "schema": .object(["enum": .array([.string("oolong"), .string("assam")])]),
                    ]),
                    "options": .object([
                        "known": .array([.object(["id": .string("oolong"), "title": .string("Oolong")])])
                    ]),
                    "prompts": .object(["value": .string("Which tea?")]),
                ]),
                .object([
                    "name": .string("cups"),
                    "type": .object(["name": .string("Int"), "schema": .object(["type": .string("integer")])]),
                    "default": .object(["value": .number(1), "text": .string("1")]),
                    "range": .object(["minimum": .number(1), "maximum": .number(6), "text": .string("1 to 6")]),
                    "options": .object(["provider": .string("Cups")]),
                ]),
            ])
        ])
}
