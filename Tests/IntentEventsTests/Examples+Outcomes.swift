import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit

// MARK: intents.outcomes

extension Examples {
    /// A policy with every field.
    private static let policy = IntentPolicy(
        effect: .atMostOnce, resolve: PhasePolicy(timeout: .seconds(20)),
        confirm: PhasePolicy(announceAfter: .seconds(4)),
        handle: PhasePolicy(
            timeout: .seconds(300), announceAfter: .seconds(5),
            retry: RetryPolicy(
                firstDelay: .seconds(1), factor: 1.5, maximumDelay: .seconds(30), maximumAttempts: 3,
                neverRetried: [.invalid, .unauthorized])), answerTimeout: .seconds(60), handoffTimeout: .seconds(900),
        inProgressTimeout: .seconds(1_200),
        asks: AskPolicy(maximum: 6, noAnswer: 1, noMatch: 2, unsupported: 3, finally: .handToApp)
    ).with(\.cleanupTimeout, .seconds(5))
    private static let failingPolicy = IntentPolicy(
        asks: AskPolicy(noAnswer: 1, offersOptions: false, finally: .fail("failureNoAnswer")))

    private static let remindingPolicy = IntentPolicy().with(\.reminders, [.seconds(60), .seconds(90)])

    static func outcome(_ name: String, _ content: Outcome.Content) -> Outcome {
        let phase: Phase =
            name.hasPrefix("intent.resolved") ? .resolve : name.hasPrefix("intent.confirmed") ? .confirm : .handle
        var outcome = Outcome(request: "ride-1", step: 9, phase: phase, content: content, ticket: ticket)
        if name.hasSuffix("policy") { outcome.policy = policy }
        if name.hasSuffix("policy.fail") { outcome.policy = failingPolicy }
        if name.hasSuffix("policy.reminders") { outcome.policy = remindingPolicy }
        if name.hasSuffix("claim") { outcome.claim = "1y2p0ij32e8e7.17" }
        return outcome
    }

    private static let pictured = [
        ParameterOption(
            id: "north", title: "Station North", value: .string("station-north"), synonyms: ["Old Station"],
            section: "Line 1", image: .systemName("tram"), comparison: compared),
        ParameterOption(
            id: "south", title: "Station South", value: .string("station-south"),
            image: .url("https://example.com/south.png")),
    ]

    static let compared = OptionComparison(price: 3.5, time: 1_772_476_200, distance: 400, duration: 600, size: 2)

    private static let withOptions = [
        ResolvedParameter(name: "dropOff", title: "Drop-off", resolution: .unsupported(reason: "noMatch", dialog: nil))
            .with(\.options, options),
        ResolvedParameter(name: "via", resolution: .disambiguation(pictured, dialog: nil)).with(\.omitsOptions, true),
    ]

    /// A round with open parameters, which declare their possible values for the person's side.
    private static let described = [
        ResolvedParameter(name: "dropOff", title: "Drop-off", resolution: .success(.string("station-south")))
            .with(\.text, "Station South"),
        ResolvedParameter(
            name: "partySize", title: "Party size", resolution: .unsupported(reason: "aboveMaximum", dialog: nil)
        ).with(\.declaration, integer),
    ]

    private static let resolutions = [
        ResolvedParameter(name: "dropOff", title: "Drop-off", resolution: .success(.string("station-south"))),
        ResolvedParameter(name: "pickup", resolution: .notRequired),
        ResolvedParameter(name: "ride", title: "Ride", resolution: .needsValue(dialog: "Which ride?")),
        ResolvedParameter(name: "via", resolution: .disambiguation(options, dialog: "Which station?")),
        ResolvedParameter(name: "payment", resolution: .confirmationRequired(.string("card-1"), dialog: "Card 1?")),
        ResolvedParameter(name: "partySize", resolution: .unsupported(reason: "tooMany", dialog: "At most six.")),
    ]

    private static let moreResolutions = [
        ResolvedParameter(
            name: "friends", title: "Friends", resolution: .disambiguation(options, dialog: "Which Jon?"),
            element: ListElement(index: 1, list: [.string("mia"), .string("jon")], origins: [.resolved, .given])),
        ResolvedParameter(name: "pin", resolution: .success(.string("1234")), isSecret: true),
        ResolvedParameter(name: "dropOff", resolution: .success(.string("station-south")), memoryKey: "home"),
        ResolvedParameter(name: "class", resolution: .notRequired, memoryKey: "class").with(\.isNone, true),
    ]

    private static let read = [
        ResolvedParameter(name: "scheduledTime", resolution: .success(.string("2026-11-25T17:30:00Z")))
            .with(\.provenance, Provenance(interpreted: .string("2026-11-25T18:30:00+01:00"), confidence: 0.6)),
        ResolvedParameter(name: "ride", resolution: .success(.string("comfort")))
            .with(\.provenance, Provenance(source: .default)),
    ]
    private static let spoken = ResolvedParameter(
        name: "ride", title: "Ride", resolution: .needsValue(dialog: "Which ride, Pool or Black?")
    ).with(\.supportingDialog, "Which ride?")
    private static let remembered = ResolvedParameter(
        name: "dropOff", resolution: .success(.string("station-south")), memoryKey: "home"
    ).with(\.memoryScope, .person)

    private static let pool = ConfirmationRequest(summary: "Pool to Station South")
    private static let table = ConfirmationRequest(summary: "Table for 2 at 18:30")
    private static let forPounds = ConfirmationRequest(
        dialog: "Pool to Station South for £12?", summary: "Pool to Station South", parameters: [confirmedRide],
        action: action)

    private static func responded(_ response: IntentResponse, _ asking: ConfirmationRequest? = nil) -> Outcome.Content {
        .finished(.responded(response, confirmation: asking))
    }

    private static func failed(_ failure: IntentFailure) -> Outcome.Content { .finished(.failed(failure)) }

    private static func resolved(_ values: [ResolvedParameter]) -> Outcome.Content { .finished(.resolved(values)) }

    private static func asked(_ question: PhaseQuestion) -> Outcome.Content { .finished(.asked(question)) }

    private static func rideQuestion(_ kind: PhaseQuestion.Kind, _ recorded: [String: JSON] = [:]) -> Outcome.Content {
        asked(
            PhaseQuestion(
                id: "ride", kind: kind, parameter: "ride", title: "Ride", dialog: "Which ride?",
                unsupportedReason: "notAvailable", summary: "Pool to Station South", recorded: recorded))
    }

    private static let ready = IntentResponse(.ready)
    private static let success = IntentResponse(.success)
    private static let applied = ["dropOff": JSON(unchecked: #"{"id":"station-south","title":"Station South"}"#)]
    private static let proposing = IntentResponse(.ready, dialog: "Half past six is free. Shall I book it?")
        .with(\.proposed, ["time": .string("18:30")])
    private static let failing = IntentResponse("failureNoTable", dialog: "Nothing is free at 18:45. Half past six?")
        .with(\.proposed, ["time": .string("18:30")])
    private static let choosing = success.with(\.items, options)
        .with(\.choice, ItemChoice(dialog: "Which one?", remembers: ["restaurant": "name"]))
        .with(\.remembered, ["city": .string("Leeds")])
    private static let opening = success.with(\.items, options)
        .with(\.opensIntent, OpenedIntent(intent: "RateRide", parameters: ["ride": .string("R-7")]))
    private static let displayed = IntentResponse(.ready, dialog: "Mia can be there in 4 minutes.")
        .with(\.supportingDialog, "In 4 minutes").with(\.snippet, Snippet(plain: "Mia", image: .named("mia")))
    private static let launching = IntentResponse(
        .failureRequiringAppLaunch, userActivity: activity, dialog: "Your card has expired."
    ).with(\.rememberedForPerson, ["home": .string("station-south")])
    private static let undoable = IntentResponse(.success, dialog: "Mia is on her way.")
        .with(\.supportingDialog, "On her way").with(\.snippet, card)
        .with(
            \.undo,
            UndoOffer(OpenedIntent(intent: "CancelRide", parameters: ["ride": .string("R-7")]), title: "Cancel my ride")
        )
    private static let shownQuestion = PhaseQuestion(
        id: "sure", kind: .confirmIntent, dialog: "Mia can be there in 4 minutes, for 12 pounds. Book it?"
    ).with(\.supportingDialog, "Book Mia?").with(\.snippet, card)
    private static let form = PhaseQuestion(
        id: "bags", kind: .value, parameter: "bags", title: "Bags", dialog: "How many bags?"
    ).with(\.declaration, fullDeclaration).with(\.parameters, [confirmedRide]).with(\.action, fullAction)
    private static let retried = IntentFailure(.retry(after: .seconds(1)), reason: .busy, message: "no driver answers")
        .with(\.recorded, ["hold": .string("H-7")])

    static let outcomes: Named<Outcome.Content> = [
        "intent.resolved.v1": resolved(resolutions),
        "intent.resolved.v1.confirmation": .finished(.resolved(resolutions, confirmation: pool)),
        "intent.resolved.v1.policy": resolved(withOptions),
        "intent.resolved.v1.described": .finished(
            .resolved(described, summary: "[Ride] to Station South for [Party size]")),
        "intent.handled.v1.updates": responded(success.with(\.offersUpdates, true)),
        "outcomes.intent.updated.v1": .updated(update),
        "outcomes.updates.ended.v1": .updatesEnded(.completed),
        "intent.starting.v1": .starting(claim: "1y2p0ij32e8e7.17"),
        "intent.handled.v1.outcomeUnknown": failed(
            IntentFailure(.failure(.failure), reason: .outcomeUnknown, message: "handle of SendPayment threw URLError")),
        "intent.confirmed.v1": responded(
            IntentResponse(.ready, userActivity: activity, dialog: "12 pounds.", values: ["fare": .number(12)]),
            forPounds),
        "intent.handled.v1": responded(
            IntentResponse(.success, dialog: "Your ride is booked.", values: ["ride": .string("R-7")])),
        "intent.confirmed.v1.taken": responded(ready.with(\.appliedAnswers, applied)),
        "intent.handled.v1.taken": responded(success.with(\.appliedAnswers, applied)),
        "intent.handled.v1.progress": .progressed(fraction: 0.5, dialog: "Looking for a driver."),
        "intent.handled.v1.cancelled": .cancelled,
        "intent.handled.v1.retry": failed(
            IntentFailure(
                .retry(after: .milliseconds(1_500)), reason: .busy, message: "no driver answers",
                field: "parameters.ride")),
        "intent.handled.v1.failure": failed(
            IntentFailure(.failure("failureCallInProgress"), reason: .internal, message: "the line is busy")),
        "intent.resolved.v1.reject": failed(
            IntentFailure(.reject, reason: .unsupported, message: "nobody here serves 'RequestRide'")),
        "intent.resolved.v1.more": resolved(moreResolutions),
        "intent.resolved.v1.launch": failed(
            IntentFailure(
                .failure("failureRequiringInAppAuthentication"), reason: .unauthorized, message: "signed out",
                activity: activity)),
        "intent.confirmed.v1.quote": responded(ready.with(\.validFor, .seconds(30)).with(\.items, options), pool),
        "intent.confirmed.v1.ask": rideQuestion(.choice(options), ["fare": .number(12)]),
        "intent.handled.v1.ask.value": rideQuestion(.value),
        "intent.handled.v1.ask.confirmValue": rideQuestion(.confirmValue(.string("pool")), ["hold": .string("H-7")]),
        "intent.handled.v1.ask.smallest": asked(PhaseQuestion(id: "sure", kind: .confirmIntent)),
        "intent.handled.v1.retry.recorded": failed(retried),
        "intent.confirmed.v1.proposed": responded(proposing, table),
        "intent.handled.v1.choice": responded(choosing),
        "intent.handled.v1.proposed": responded(failing, table),
        "intent.handled.v1.opens": responded(opening),
        "intent.resolved.v1.ask.signIn": asked(PhaseQuestion(id: "signIn#1", kind: .signIn(signIn))),
        "intent.confirmed.v1.ask.signIn.required": asked(
            PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: .person)))),
        "intent.handled.v1.ask.display": asked(shownQuestion),
        "intent.handled.v1.undo": responded(undoable),
        "intent.handled.v1.partial": responded(
            IntentResponse(.partialSuccess, dialog: "Sent to 2 of 3.").with(\.results, parts)),
        "intent.resolved.v1.provenance": resolved(read),
        "intent.resolved.v1.recorded": .finished(.resolved([spoken], recorded: ["hold": .string("H-7")])),
        "intent.resolved.v1.cancelled": .cancelled,
        "intent.resolved.v1.person": resolved([remembered]),
        "intent.resolved.v1.policy.fail": resolved([remembered]),
        "intent.confirmed.v1.cancelled": .cancelled,
        "intent.confirmed.v1.failure": failed(
            IntentFailure(.failure(.failure), reason: .internal, message: "the tariff is not known")),
        "intent.confirmed.v1.display": responded(displayed),
        "intent.confirmed.v1.ask.form": asked(form),
        "intent.handled.v1.claim": responded(success),
        "intent.handled.v1.launch": responded(launching),
        "intent.resolved.v1.policy.reminders": resolved([remembered]),
        "intent.resolved.v1.approval": .finished(
            .resolved([remembered], confirmation: ConfirmationRequest(summary: "Pool", approval: approval))),
        "intent.confirmed.v1.approval": responded(
            IntentResponse(.ready).with(\.approval, Approval(by: [.principal(Principal(.user, "cem"))]))),
    ]
}
