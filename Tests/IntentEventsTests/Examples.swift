import Conversation
import IntentEvents
import IntentModel
import RecordLog

/// An event of each type, from the conversation about one ride.
enum Examples {
    static let topics = Topics()
    static let session: Identifier = "kitchen"
    static let time = Instant(rfc3339: "2026-03-01T12:00:00.250Z")!
    static let trace = TraceContext(
        parent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", state: "vendor=1")

    // MARK: intents.requests and intents.answers

    static let principal = Principal(.appUser, "ann@example.com")
    /// The secret of the app that claims a handoff.
    static let claimSecret = "7c1d4f0e9a5b4c1f8d2e6a3b"

    static let requests: KeyValuePairs<String, SessionEvent> = [
        "intent.requested.v1": .requested(
            IntentRequest(
                id: "ride-1", intent: "RequestRide",
                parameters: [
                    ParameterState(name: "dropOff", value: .string("Airport")),
                    ParameterState(name: "partySize", value: .number(2)),
                    ParameterState(
                        name: "pickup", value: .object(["latitude": .number(51.5), "longitude": .number(-0.125)])),
                ], whenBusy: .interrupt, deadline: Instant(rfc3339: "2026-03-01T12:05:00Z"), locale: "en-GB",
                attributes: ["channel": .string("voice"), "homeCity": .string("London")], trace: trace)),
        "intent.requested.v1.smallest": .requested(IntentRequest(id: "ride-1", intent: "RequestRide")),
        "intent.requested.v1.principal": .requested(
            IntentRequest(id: "ride-1", intent: "RequestRide", principal: principal)),
        "prompt.answered.v1.value": .answered(
            Answer(prompt: "ride-1.2.9b1deb4d3b7d4bad", action: .accept, value: .string("Airport"))),
        "prompt.answered.v1.option": .answered(
            Answer(prompt: "ride-1.4.9b1deb4d3b7d4bad", action: .accept, option: "south")),
        "prompt.answered.v1.changed": .answered(
            Answer(
                prompt: "ride-1.8.9b1deb4d3b7d4bad", action: .decline,
                parameters: [ParameterState(name: "partySize", value: .number(3))])),
        "prompt.answered.v1.cancel": .answered(Answer(prompt: "ride-1.8.9b1deb4d3b7d4bad", action: .cancel)),
        "parameter.corrected.v1": .corrected(
            Correction(request: "ride-1", parameter: "dropOff", value: .string("Leeds"))),
        "options.requested.v1": .optionsRequested(OptionsRequest(prompt: "ride-1.4.9b1deb4d3b7d4bad", start: 25)),
        "options.requested.v1.search": .optionsRequested(
            OptionsRequest(prompt: "ride-1.4.9b1deb4d3b7d4bad", search: "station north", limit: 5)),
        "intent.cancelled.v1": .cancelled(request: "ride-1"),
        "intent.cancelled.v1.active": .cancelled(request: nil),
        "session.forgotten.v1": .forgotten(Forgetting(keys: ["home", "payment"])),
        "session.forgotten.v1.all": .forgotten(Forgetting(keys: nil)),
        "session.forgotten.v1.person": .forgotten(Forgetting(keys: ["home"], scope: .person)),
        "session.ended.v1": .ended(reason: "the account was closed"),
        "session.ended.v1.smallest": .ended(reason: nil),
        "requests.handoff.claimed.v1": .handoffClaimed(handoff: "ride-1.9.handoff.9b1deb4d3b7d4bad", claimant: "phone"),
        "updates.started.v1": .updatesStarted(request: "ride-1"),
        "updates.stopped.v1": .updatesStopped(request: "ride-1"),
        "handoff.returned.v1": .handoffReturned(handoff: "ride-1.9.handoff.9b1deb4d3b7d4bad", claimant: "phone"),
        "handoff.completed.v1": .handoffCompleted(
            handoff: "ride-1.9.handoff.9b1deb4d3b7d4bad", claimant: "phone",
            response: IntentResponse(.success, dialog: "Your ride is booked.", values: ["ride": .string("R-7")])),
    ]

    // MARK: intents.results

    static let parameters = [
        ParameterState(
            name: "dropOff", value: .object(["title": .string("Station South"), "id": .string("station-south")]),
            origin: .chosen),
        ParameterState(name: "partySize", value: .number(2), origin: .resolved),
        ParameterState(name: "pickup", value: nil, origin: .notRequired),
    ]
    static let options = [
        ParameterOption(id: "north", title: "Station North", value: .string("station-north")),
        ParameterOption(id: "south", title: "Station South", subtitle: "2 km", value: .string("station-south")),
    ]
    static let activity = UserActivity(
        activityType: "com.example.rides.book", title: "Book a ride", userInfo: ["draft": .string("D-1")],
        webpageURL: "https://rides.example.com/D-1")

    private static func prompt(_ step: Int, _ kind: Prompt.Kind, _ dialog: String) -> Prompt {
        Prompt(
            id: "ride-1.\(step).9b1deb4d3b7d4bad", intent: "RequestRide", kind: kind, dialog: dialog,
            expires: time.advanced(by: .seconds(120)))
    }

    private static let action = ConfirmationAction(
        name: "custom", acceptLabel: "Book it", acceptAlternatives: ["go ahead"], denyLabel: "Not now",
        isDestructive: true)

    /// A prompt with all members that a surface needs to show a form.
    private static var form: Prompt {
        var prompt = prompt(4, .value, "Six people at most. For how many?")
        prompt.parameter = "partySize"
        prompt.title = "Party size"
        prompt.declaration = integer
        prompt.unsupportedReason = "aboveMaximum"
        prompt.rejectedValue = .number(9)
        prompt.summary = "[Ride] to Station South for [Party size]"
        prompt.parameters = [
            PromptParameter(name: "dropOff", title: "Drop-off", text: "Station South", value: .string("station-south")),
            PromptParameter(name: "partySize", title: "Party size", isMissing: true),
            PromptParameter(name: "ride", title: "Ride", isMissing: true, declaration: rides),
            PromptParameter(name: "note", title: "Note"),
        ]
        prompt.parameters[2].options = rideOptions
        return prompt
    }

    static let integer = declaration("Int", "a whole number", .object(["type": .string("integer")]))
    private static let rides = declaration(
        "RideOption", "a kind of ride", .object(["enum": .array([.string("pool"), .string("black")])]))
    private static let rideOptions = [
        ParameterOption(id: "pool", title: "Pool", value: .string("pool")),
        ParameterOption(id: "black", title: "Black", subtitle: "A large car", value: .string("black")),
    ]

    private static func declaration(_ name: String, _ description: String, _ schema: JSON) -> JSON {
        .object([
            "type": .object(["name": .string(name), "description": .string(description), "schema": schema]),
            "required": .bool(true),
            "sensitivity": .string("private"),
        ])
    }

    /// Sixty stops in two sections.
    private static var manyOptions: Prompt {
        var prompt = prompt(4, .choice, "Drop-off: which one?")
        prompt.parameter = "dropOff"
        prompt.omitsOptions = true
        prompt.options = (1...60).map { number in
            ParameterOption(
                id: "stop-\(number)", title: "Stop \(number)", subtitle: number == 1 ? "At the harbour" : nil,
                value: .string("stop-\(number)"), synonyms: number == 1 ? ["Harbour"] : [],
                section: number > 30 ? "Line 2" : "Line 1",
                image: number == 1 ? .systemName("ferry") : nil)
        }
        return prompt
    }

    private static func handoff(_ mode: Handoff.Mode, claimant: Claimant? = nil) -> Handoff {
        Handoff(
            id: "ride-1.9.handoff.9b1deb4d3b7d4bad", request: "ride-1", mode: mode, activity: activity,
            interaction: Interaction(
                intent: "RequestRide", parameters: parameters, code: mode == .foreground ? .continueInApp : .handleInApp
            ),
            expires: time.advanced(by: .seconds(600)), claimant: claimant)
    }

    /// An activity with all its fields, in a handoff that was returned.
    private static var full: Handoff {
        var handoff = handoff(.foreground)
        handoff.returns = 1
        handoff.activity.requiredUserInfoKeys = ["draft"]
        handoff.activity.expirationDate = time.advanced(by: .seconds(600)).milliseconds
        handoff.activity.persistentIdentifier = "draft-D-1"
        handoff.activity.keywords = ["ride", "taxi"]
        handoff.interaction.response = ["fare": .number(12)]
        return handoff
    }

    static let update = IntentUpdate(
        phase: "completed", completionStatus: "canceledByService", dialog: "The driver has cancelled.",
        values: ["ride": .string("R-7")])

    private static var updatable: Completion {
        var completion = Completion(intent: "GetRideStatus", status: .success, code: .success, parameters: [], turns: 0)
        completion.offersUpdates = true
        return completion
    }

    private static var offering: IntentResponse {
        var response = IntentResponse(.success)
        response.offersUpdates = true
        return response
    }

    static let token = "b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3b5c1f0a3"

    static var results: KeyValuePairs<String, SessionResult.Body> {
        var value = prompt(2, .value, "That is outside the service area. Where else?")
        value.parameter = "dropOff"
        value.unsupportedReason = "outsideServiceArea"
        var choice = prompt(4, .choice, "Drop-off: which one?")
        choice.parameter = "dropOff"
        choice.options = options
        var confirmValue = prompt(6, .confirmValue, "Station South?")
        confirmValue.parameter = "dropOff"
        confirmValue.value = .string("station-south")
        var confirmIntent = prompt(8, .confirmIntent, "Pool to Station South for £12?")
        confirmIntent.summary = "Pool to Station South"
        confirmIntent.parameters = [
            PromptParameter(name: "dropOff", title: "Drop-off", text: "Station South", value: .string("station-south"))
        ]
        confirmIntent.action = action
        var element = prompt(4, .choice, "Friends: which one?")
        element.parameter = "friends"
        element.element = 1
        element.options = options
        var secret = prompt(4, .confirmValue, "PIN: is it the one that is known?")
        secret.parameter = "pin"
        secret.isSecret = true
        secret.value = .string("1234")
        var secrets = parameters
        secrets[0].isSecret = true
        var found = Completion(intent: "ListRides", status: .success, code: .success, parameters: secrets, turns: 0)
        found.items = options
        var opening = Completion(intent: "RequestRide", status: .success, code: .success, parameters: [], turns: 0)
        opening.opens = OpenedRequest(request: "ride-1.opens", intent: "RateRide")
        var proposal = prompt(8, .confirmIntent, "Half past six is free. Shall I book it?")
        proposal.summary = "Table for 2 at 18:30"
        proposal.proposed = [ParameterState(name: "time", value: .string("18:30"), origin: .confirmed)]
        var items = prompt(9, .choice, "Which one?")
        items.isAboutItems = true
        items.options = options
        var chosen = Completion(intent: "FindRestaurants", status: .success, code: .success, parameters: [], turns: 1)
        chosen.items = options
        chosen.chosen = options[0].id
        return [
            "prompt.issued.v1.value": .prompted(value),
            "prompt.issued.v1.choice": .prompted(choice),
            "prompt.issued.v1.confirmValue": .prompted(confirmValue),
            "prompt.issued.v1.confirmIntent": .prompted(confirmIntent),
            "intent.progressed.v1": .progressed(
                Progress(phase: .handle, code: .inProgress, fraction: 0.5, dialog: "Looking for a driver.")),
            "handoff.offered.v1.foreground": .handoffOffered(handoff(.foreground)),
            "handoff.offered.v1.background": .handoffOffered(handoff(.background)),
            "results.handoff.claimed.v1": .handoffClaimed(handoff(.foreground, claimant: "phone")),
            "intent.completed.v1.success": .completed(
                Completion(
                    intent: "RequestRide", status: .success, code: .success, parameters: parameters,
                    response: [
                        "fare": .object(["amount": .string("12.00"), "currency": .string("GBP")]),
                        "ride": .string("R-7"),
                    ],
                    dialog: "Your ride is booked.", turns: 2)),
            "intent.completed.v1.failure": .completed(
                Completion(
                    intent: "RequestRide", status: .failure, code: "failureRequiringAppLaunchMustVerifyCredentials",
                    parameters: parameters,
                    activity: activity,
                    error: Rejection(.unauthorized, "the account has no verified card", field: "parameters.payment"),
                    turns: 0)),
            "intent.completed.v1.cancelled": .completed(
                Completion(intent: "RequestRide", status: .cancelled, code: "cancelled", parameters: [], turns: 1)),
            "request.rejected.v1": .rejected(
                Rejection(.invalid, "'whenBusy' is one of queue, replace, reject, interrupt", field: "whenBusy")),
            "prompt.issued.v1.element": .prompted(element),
            "prompt.issued.v1.secret": .prompted(secret),
            "intent.completed.v1.items": .completed(found),
            "intent.completed.v1.opens": .completed(opening),
            "intent.progressed.v1.long": .progressed(Progress(phase: .handle, code: .inProgress)),
            "intent.completed.v1.outcomeUnknown": .completed(
                Completion(
                    intent: "SendPayment", status: .failure, code: .failure, parameters: [],
                    error: Rejection(.outcomeUnknown, "the answer was lost: whether it has happened is not known"),
                    turns: 1)),
            "intent.answeredLate.v1": .lateOutcome(
                LateOutcome(
                    intent: "RequestRide", code: .success, response: ["ride": .string("R-7")],
                    dialog: "Your ride is booked.")),
            "handoff.offered.v1.full": .handoffOffered(full),
            "intent.completed.v1.updates": .completed(updatable),
            "results.intent.updated.v1": .updated(intent: "GetRideStatus", update),
            "results.updates.ended.v1": .updatesEnded(intent: "GetRideStatus", .stopped),
            "results.updates.ended.v1.invalid": .updatesEnded(
                intent: "GetRideStatus", .invalid,
                error: Rejection(.invalid, "an update has a phase, and it is not 'unknown'")),
            "prompt.issued.v1.proposed": .prompted(proposal),
            "prompt.issued.v1.items": .prompted(items),
            "intent.completed.v1.chosen": .completed(chosen),
            "prompt.issued.v1.manyOptions": .prompted(manyOptions),
            "prompt.issued.v1.form": .prompted(form),
            "options.listed.v1": .optionsListed(
                ListedOptions(of: manyOptions, OptionsRequest(prompt: manyOptions.id, start: 25))),
            "options.listed.v1.search": .optionsListed(
                ListedOptions(of: manyOptions, OptionsRequest(prompt: manyOptions.id, search: "line 2 stop 43"))),
        ]
    }

    // MARK: The work topics

    private static func address(_ phase: Phase, _ step: Int, isInApp: Bool = false) -> WorkAddress {
        WorkAddress(request: "ride-1", step: step, intent: "RequestRide", phase: phase, isInApp: isInApp, trace: trace)
    }

    static let ticket = Ticket("000102030405060708090a0b0c0d0e0f")

    private static func item(_ phase: Phase, _ step: Int, isInApp: Bool = false) -> WorkItem {
        var item = WorkItem(
            address(phase, step, isInApp: isInApp), attempt: 2, parameters: parameters,
            deadline: time.advanced(by: .seconds(60)),
            idempotencyKey: "kitchen/ride-1", locale: "en-GB", attributes: ["channel": .string("voice")])
        item.ticket = ticket
        return item
    }

    private static func running(_ item: WorkItem) -> WorkItem {
        var item = item
        item.parameters = [
            ParameterState(name: "friends", value: .array([.string("mia"), .string("jon-2")])),
            ParameterState(name: "pin", value: .string("1234"), origin: .confirmed),
        ]
        item.parameters[0].elements = [.resolved, .chosen]
        item.parameters[1].isSecret = true
        item.answers = [
            PhaseAnswer(question: "tip", isAccepted: true, value: .string("10 %")),
            PhaseAnswer(question: "surcharge", isAccepted: false),
        ]
        item.recorded = ["hold": .string("H-7")]
        item.memory = ["home": .string("station-south"), "payment": .string("card-1")]
        return item
    }

    private static var remembering: WorkItem {
        var item = item(.handle, 11)
        item.memory = ["home": .string("station-south")]
        return item
    }

    private static var once: WorkItem {
        var item = item(.handle, 9)
        item.effect = .atMostOnce
        return item
    }

    private static var inProgress: WorkItem {
        var item = item(.handle, 9)
        item.inProgressTimeout = .seconds(900)
        item.requestDeadline = time.advanced(by: .seconds(300))
        return item
    }

    private static func authenticated(_ phase: Phase) -> WorkItem {
        var work = item(phase, 9)
        work.principal = principal
        return work
    }

    private static func served(_ work: WorkItem) -> WorkItem {
        var work = work
        work.address.service = "tea"
        return work
    }

    static let work: KeyValuePairs<String, Work> = [
        "intent.resolve.v1": .item(item(.resolve, 1)),
        "intent.confirm.v1": .item(item(.confirm, 7)),
        "intent.handle.v1": .item(item(.handle, 9)),
        "intent.handle.v1.inApp": .item(item(.handle, 9, isInApp: true)),
        "intent.cancel.v1": .cancel(WorkCancel(address(.handle, 9))),
        "intent.resolve.v1.remembered": .item(running(item(.resolve, 3))),
        "intent.confirm.v1.answered": .item(running(item(.confirm, 7))),
        "intent.resolve.v1.principal": .item(authenticated(.resolve)),
        "intent.confirm.v1.principal": .item(authenticated(.confirm)),
        "intent.handle.v1.principal": .item(authenticated(.handle)),
        "intent.handle.v1.answered": .item(running(item(.handle, 11))),
        "intent.cancel.v1.reason": .cancel(
            WorkCancel(address(.handle, 9), reason: .replaced, deadline: time.advanced(by: .seconds(10)))),
        "intent.handle.v1.atMostOnce": .item(once),
        "intent.handle.v1.inProgress": .item(inProgress),
        "intent.permit.v1": .permit(WorkPermit(address(.handle, 9), claim: "1y2p0ij32e8e7.17")),
        "intent.update.v1": .update(item(.handle, 10)),
        "intent.update.v1.memory": .update(remembering),
        "intent.resolve.v1.service": .item(served(item(.resolve, 1))),
        "intent.resolve.v1.inApp": .item(item(.resolve, 1, isInApp: true)),
        "intent.confirm.v1.inApp": .item(served(item(.confirm, 7, isInApp: true))),
    ]

    // MARK: intents.catalog

    static let publishedIntents: KeyValuePairs<String, PublishedIntent> = [
        "intent.served.v1": PublishedIntent(
            service: "tea", version: "1.4.0", intent: "OrderTea", title: "Order tea",
            details: [
                "description": .string("Orders tea."),
                "phases": .array([.string("resolve"), .string("confirm"), .string("handle")]),
                "confirmation": .string("always"), "authentication": .string("requiresAuthentication"),
                "effect": .string("atMostOnce"),
                "summary": .string("${cups} cups of ${kind}"),
                "parameters": .array([
                    .object([
                        "name": .string("cups"), "title": .string("Cups"), "required": .bool(false),
                        "memory": .object(["key": .string("cups"), "scope": .string("person")]),
                        "type": .object([
                            "name": .string("Int"), "description": .string("a whole number"),
                            "schema": .object(["type": .string("integer")]),
                        ]),
                    ])
                ]),
                "schemas": .object([
                    "request": .object(["type": .string("object")]), "resolved": .object(["type": .string("object")]),
                ]),
                "languages": .object(["nl": .object(["title": .string("Thee bestellen")])]),
            ]),
        "intent.served.v1.smallest": PublishedIntent(intent: "OrderTea", title: "Order tea"),
        "intent.served.v1.full": fullIntent,
    ]

    static let leases: KeyValuePairs<String, WorkerLease> = [
        "worker.serving.v1": WorkerLease(
            service: "tea", instance: "kitchen-17", version: "1.4.0", intents: ["OrderTea"],
            inApp: ["OrderTea", "ShowTeas"],
            phases: ["resolve", "confirm", "handle", "handle-in-app"]),
        "worker.serving.v1.smallest": WorkerLease(
            instance: "kitchen-17", intents: ["OrderTea"], phases: ["resolve"], validFor: 60_000),
        "worker.serving.v1.started": WorkerLease(
            instance: "kitchen-17", intents: ["OrderTea"], phases: ["resolve"], started: "2026-03-01T11:59:58.000Z"),
    ]

    // MARK: Of a person

    static let ann = Principal(.appUser, "ann")

    // MARK: intents.outcomes

    /// A policy with every field.
    static let policy = IntentPolicy(
        effect: .atMostOnce, resolve: PhasePolicy(timeout: .seconds(20)),
        confirm: PhasePolicy(announceAfter: .seconds(4)),
        handle: PhasePolicy(
            timeout: .seconds(300), announceAfter: .seconds(5),
            retry: RetryPolicy(
                firstDelay: .seconds(1), factor: 1.5, maximumDelay: .seconds(30), maximumAttempts: 3,
                neverRetried: [.invalid, .unauthorized])),
        answerTimeout: .seconds(60), handoffTimeout: .seconds(900), inProgressTimeout: .seconds(1_200),
        cleanupTimeout: .seconds(5),
        asks: AskPolicy(maximum: 6, noAnswer: 1, noMatch: 2, unsupported: 3, finally: .handToApp))

    private static var withOptions: [ResolvedParameter] {
        var parameter = ResolvedParameter(
            name: "dropOff", title: "Drop-off", resolution: .unsupported(reason: "noMatch", dialog: nil))
        parameter.options = options
        var many = ResolvedParameter(name: "via", resolution: .disambiguation(pictured, dialog: nil))
        many.omitsOptions = true
        return [parameter, many]
    }

    private static let pictured = [
        ParameterOption(
            id: "north", title: "Station North", value: .string("station-north"), synonyms: ["Old Station"],
            section: "Line 1",
            image: .systemName("tram")),
        ParameterOption(
            id: "south", title: "Station South", value: .string("station-south"),
            image: .url("https://example.com/south.png")),
    ]

    /// A round with open parameters, which declare their possible values for the person's side.
    static var described: [ResolvedParameter] {
        var all = [
            ResolvedParameter(name: "dropOff", title: "Drop-off", resolution: .success(.string("station-south"))),
            ResolvedParameter(
                name: "partySize", title: "Party size", resolution: .unsupported(reason: "aboveMaximum", dialog: nil)),
        ]
        all[0].text = "Station South"
        all[1].declaration = integer
        return all
    }

    static let resolutions = [
        ResolvedParameter(name: "dropOff", title: "Drop-off", resolution: .success(.string("station-south"))),
        ResolvedParameter(name: "pickup", resolution: .notRequired),
        ResolvedParameter(name: "ride", title: "Ride", resolution: .needsValue(dialog: "Which ride?")),
        ResolvedParameter(name: "via", resolution: .disambiguation(options, dialog: "Which station?")),
        ResolvedParameter(name: "payment", resolution: .confirmationRequired(.string("card-1"), dialog: "Card 1?")),
        ResolvedParameter(name: "partySize", resolution: .unsupported(reason: "tooMany", dialog: "At most six.")),
    ]

    static let element = ListElement(index: 1, list: [.string("mia"), .string("jon")], origins: [.resolved, .given])

    static let moreResolutions = [
        ResolvedParameter(
            name: "friends", title: "Friends", resolution: .disambiguation(options, dialog: "Which Jon?"),
            element: element),
        ResolvedParameter(name: "pin", resolution: .success(.string("1234")), isSecret: true),
        ResolvedParameter(name: "dropOff", resolution: .success(.string("station-south")), memoryKey: "home"),
        none,
    ]

    private static var none: ResolvedParameter {
        var parameter = ResolvedParameter(name: "class", resolution: .notRequired, memoryKey: "class")
        parameter.isNone = true
        return parameter
    }

    private static func quote(_ response: IntentResponse) -> IntentResponse {
        var response = response
        response.validFor = .seconds(30)
        response.items = options
        return response
    }

    private static var proposing: IntentResponse {
        var response = IntentResponse(.ready, dialog: "Half past six is free. Shall I book it?")
        response.proposed = ["time": .string("18:30")]
        return response
    }

    private static var failing: IntentResponse {
        var response = IntentResponse("failureNoTable", dialog: "Nothing is free at 18:45. Half past six?")
        response.proposed = ["time": .string("18:30")]
        return response
    }

    private static var choosing: IntentResponse {
        var response = IntentResponse(.success)
        response.items = options
        response.choice = ItemChoice(dialog: "Which one?", remembers: ["restaurant": "name"])
        response.remembered = ["city": .string("Leeds")]
        return response
    }

    private static func opening(_ response: IntentResponse) -> IntentResponse {
        var response = response
        response.items = options
        response.opensIntent = OpenedIntent(intent: "RateRide", parameters: ["ride": .string("R-7")])
        return response
    }

    private static func took(_ response: IntentResponse) -> IntentResponse {
        var response = response
        response.appliedAnswers = [
            "dropOff": .object(["id": .string("station-south"), "title": .string("Station South")])
        ]
        return response
    }

    private static func ask(_ kind: PhaseQuestion.Kind, _ recorded: [String: JSON] = [:]) -> Outcome.Content {
        .finished(
            .asked(
                PhaseQuestion(
                    id: "ride", kind: kind, parameter: "ride", title: "Ride", dialog: "Which ride?",
                    unsupportedReason: "notAvailable",
                    summary: "Pool to Station South", recorded: recorded)))
    }

    private static let launch = IntentFailure(
        .failure("failureRequiringInAppAuthentication"), reason: .unauthorized, message: "signed out",
        activity: activity)

    private static var retried: IntentFailure {
        var failure = IntentFailure(.retry(after: .seconds(1)), reason: .busy, message: "no driver answers")
        failure.recorded = ["hold": .string("H-7")]
        return failure
    }

    static let outcomes: KeyValuePairs<String, (Phase, Outcome.Content)> = [
        "intent.resolved.v1": (.resolve, .finished(.resolved(resolutions))),
        "intent.resolved.v1.confirmation": (
            .resolve,
            .finished(.resolved(resolutions, confirmation: ConfirmationRequest(summary: "Pool to Station South")))
        ),
        "intent.resolved.v1.policy": (.resolve, .finished(.resolved(withOptions))),
        "intent.resolved.v1.described": (
            .resolve, .finished(.resolved(described, summary: "[Ride] to Station South for [Party size]"))
        ),
        "intent.handled.v1.updates": (.handle, .finished(.responded(offering, confirmation: nil))),
        "outcomes.intent.updated.v1": (.handle, .updated(update)),
        "outcomes.updates.ended.v1": (.handle, .updatesEnded(.completed)),
        "intent.starting.v1": (.handle, .starting(claim: "1y2p0ij32e8e7.17")),
        "intent.handled.v1.outcomeUnknown": (
            .handle,
            .finished(
                .failed(
                    IntentFailure(
                        .failure(.failure), reason: .outcomeUnknown, message: "handle of SendPayment threw URLError")))
        ),
        "intent.confirmed.v1": (
            .confirm,
            .finished(
                .responded(
                    IntentResponse(.ready, userActivity: activity, dialog: "12 pounds.", values: ["fare": .number(12)]),
                    confirmation: ConfirmationRequest(
                        dialog: "Pool to Station South for £12?", summary: "Pool to Station South",
                        parameters: [PromptParameter(name: "dropOff", title: "Drop-off", text: "Station South")],
                        action: action)))
        ),
        "intent.handled.v1": (
            .handle,
            .finished(
                .responded(
                    IntentResponse(.success, dialog: "Your ride is booked.", values: ["ride": .string("R-7")]),
                    confirmation: nil))
        ),
        "intent.confirmed.v1.taken": (.confirm, .finished(.responded(took(IntentResponse(.ready)), confirmation: nil))),
        "intent.handled.v1.taken": (.handle, .finished(.responded(took(IntentResponse(.success)), confirmation: nil))),
        "intent.handled.v1.progress": (.handle, .progressed(fraction: 0.5, dialog: "Looking for a driver.")),
        "intent.handled.v1.cancelled": (.handle, .cancelled),
        "intent.handled.v1.retry": (
            .handle,
            .finished(
                .failed(
                    IntentFailure(
                        .retry(after: .milliseconds(1_500)), reason: .busy, message: "no driver answers",
                        field: "parameters.ride")))
        ),
        "intent.handled.v1.failure": (
            .handle,
            .finished(
                .failed(
                    IntentFailure(.failure("failureCallInProgress"), reason: .internal, message: "the line is busy")))
        ),
        "intent.resolved.v1.reject": (
            .resolve,
            .finished(
                .failed(IntentFailure(.reject, reason: .unsupported, message: "nobody here serves 'RequestRide'")))
        ),
        "intent.resolved.v1.more": (.resolve, .finished(.resolved(moreResolutions))),
        "intent.resolved.v1.launch": (.resolve, .finished(.failed(launch))),
        "intent.confirmed.v1.quote": (
            .confirm,
            .finished(
                .responded(
                    quote(IntentResponse(.ready)), confirmation: ConfirmationRequest(summary: "Pool to Station South")))
        ),
        "intent.confirmed.v1.ask": (.confirm, ask(.choice(options), ["fare": .number(12)])),
        "intent.handled.v1.ask.value": (.handle, ask(.value)),
        "intent.handled.v1.ask.confirmValue": (.handle, ask(.confirmValue(.string("pool")), ["hold": .string("H-7")])),
        "intent.handled.v1.ask.smallest": (.handle, .finished(.asked(PhaseQuestion(id: "sure", kind: .confirmIntent)))),
        "intent.handled.v1.retry.recorded": (.handle, .finished(.failed(retried))),
        "intent.confirmed.v1.proposed": (
            .confirm,
            .finished(.responded(proposing, confirmation: ConfirmationRequest(summary: "Table for 2 at 18:30")))
        ),
        "intent.handled.v1.choice": (.handle, .finished(.responded(choosing, confirmation: nil))),
        "intent.handled.v1.proposed": (
            .handle, .finished(.responded(failing, confirmation: ConfirmationRequest(summary: "Table for 2 at 18:30")))
        ),
        "intent.handled.v1.opens": (
            .handle, .finished(.responded(opening(IntentResponse(.success)), confirmation: nil))
        ),
    ]

    // MARK: All as records

    /// Every record with the name of its file, as the current encoder writes it.
    static func records() throws -> [Golden] {
        var all: [Golden] = []
        var person = EventEncoder(source: "/example/person")
        for (name, event) in Array(requests) + Array(laterRequests) {
            guard
                let record = person.record(
                    event, session: session, id: name.hasPrefix("intent.requested") ? "ride-1" : "event-5",
                    topics: topics,
                    to: name.hasPrefix("intent.requested") && !name.hasSuffix("principal") ? nil : topics.answers,
                    secret: claimSecret,
                    at: time)
            else { continue }
            all.append(try Golden(name, record))
        }
        if let claim = person.record(
            .handoffClaimed(handoff: "ride-1.9.handoff.9b1deb4d3b7d4bad", claimant: "phone"), session: session,
            id: "event-5",
            topics: topics, to: topics.answers, token: token, secret: claimSecret, at: time)
        {
            all.append(try Golden("requests.handoff.claimed.v1.token", claim))
        }
        var coordinator = EventEncoder(source: "/intents/coordinator")
        for (number, (name, body)) in (Array(results) + Array(laterResults) + Array(rareResults)).enumerated() {
            let isAbout = isAboutRequest(name)
            let result = SessionResult(
                sequence: number + 1, request: isAbout ? "ride-1" : nil, body: body, trace: isAbout ? trace : nil)
            let encoded = EncodedResult(
                result, session: session, event: "event-5", token: name.hasSuffix(".full") ? token : nil, at: time)
            all.append(try Golden(name, coordinator.record(encoded, session: session, topics: topics, partition: 3)))
            // One result of each type is also written for a session that a principal has opened.
            guard
                name.hasSuffix(".v1")
                    || [".v1.foreground", ".v1.confirmValue", ".v1.success"].contains(where: name.hasSuffix)
            else {
                continue
            }
            let owned = EncodedResult(result, session: session, owner: ann, event: "event-5", at: time)
            all.append(
                try Golden("\(name).owned", coordinator.record(owned, session: session, topics: topics, partition: 3)))
        }
        let stray = coordinator.record(
            Rejection(.invalid, "the record has no key: the session's id is the key", field: "key"),
            event: "intents.requests-3-42",
            topics: topics, partition: 3, at: time)
        all.append(try Golden("request.rejected.v1.noSession", stray))
        let strangers = coordinator.record(
            Rejection(.busy, "there are too many open sessions"), event: "event-5", session: session, of: ann,
            topics: topics, partition: 3,
            at: time)
        all.append(try Golden("request.rejected.v1.principal", strangers))
        let late = SessionResult(
            sequence: 44, request: "ride-1",
            body: .rejected(
                Rejection(.unexpected, "the prompt 'ride-1.2.9b1deb4d3b7d4bad' is not open", field: "prompt")),
            trace: trace)
        all.append(
            try Golden(
                "request.rejected.v1.request",
                coordinator.record(
                    EncodedResult(late, session: session, event: "event-5", at: time), session: session, topics: topics,
                    partition: 3)))
        for (name, work) in Array(work) + Array(laterWork) + Array(rareWork) {
            all.append(
                try Golden(name, coordinator.record(work, session: session, topics: topics, partition: 3, at: time)))
        }
        var worker = EventEncoder(source: "/intents/worker")
        for (name, (phase, content)) in Array(outcomes) + Array(laterOutcomes) + Array(rareOutcomes) {
            var outcome = Outcome(request: "ride-1", step: 9, phase: phase, content: content, ticket: ticket)
            if name.hasSuffix("policy") { outcome.policy = policy }
            if name.hasSuffix("policy.fail") { outcome.policy = failingPolicy }
            if name.hasSuffix("claim") { outcome.claim = "1y2p0ij32e8e7.17" }
            let part = name.hasSuffix("progress") ? 1 : 0
            all.append(
                try Golden(
                    name,
                    worker.record(
                        outcome, session: session, topics: topics, partition: 3, part: part, trace: trace, at: time)))
        }
        var publisher = EventEncoder(source: "/intents/catalog/kitchen-17")
        for (name, intent) in publishedIntents {
            all.append(try Golden(name, publisher.record(intent, topics: topics, at: time)))
        }
        for (name, lease) in leases { all.append(try Golden(name, publisher.record(lease, topics: topics, at: time))) }
        all.append(try Golden("dead-letter", deadLetter))
        return all
    }

    /// `true` if a result is about the request; `false` if it is about an event of the session.
    static func isAboutRequest(_ name: String) -> Bool {
        !name.hasPrefix("request.rejected.v1") && !name.hasPrefix("memory.forgotten.v1")
    }

    static var deadLetter: Record {
        DeadLetter.record(
            requestRecord(#"{"intent":"RequestRide"}"#, type: "intent.requested.v9", id: "ride-1"),
            Rejection(
                .deprecated, "'intent.requested.v9' is another version than the 1 that is understood here",
                field: "type"),
            stage: "coordinator", topics: topics)
    }
}
