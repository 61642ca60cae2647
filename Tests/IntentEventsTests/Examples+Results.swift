import Conversation
import IntentEvents
import IntentModel
import PipelineTestKit

// MARK: intents.results

extension Examples {
    private static func prompt(
        _ step: Int, _ kind: Prompt.Kind, _ dialog: String, of parameter: String? = nil,
        intent: Identifier = "RequestRide", expires seconds: Int = 120
    ) -> Prompt {
        Prompt(
            id: promptID(step), intent: intent, kind: kind, parameter: parameter, dialog: dialog,
            expires: after(seconds))
    }

    private static let value = prompt(2, .value, "That is outside the service area. Where else?", of: "dropOff")
        .with(\.asked.unsupportedReason, "outsideServiceArea")
    private static let choice = prompt(4, .choice, "Drop-off: which one?", of: "dropOff").with(\.options, options)
    private static let confirmValue = prompt(6, .confirmValue, "Station South?", of: "dropOff")
        .with(\.value, .string("station-south"))
    private static let confirmIntent = prompt(8, .confirmIntent, "Pool to Station South for £12?")
        .with(\.summary, "Pool to Station South")
        .with(\.parameters, [confirmedRide.with(\.value, .string("station-south"))]).with(\.action, action)
    private static let element = prompt(4, .choice, "Friends: which one?", of: "friends").with(\.asked.element, 1)
        .with(\.options, options)
    private static let secret = prompt(4, .confirmValue, "PIN: is it the one that is known?", of: "pin")
        .with(\.asked.isSecret, true).with(\.value, .string("1234"))
    private static let proposal = prompt(8, .confirmIntent, "Half past six is free. Shall I book it?")
        .with(\.summary, "Table for 2 at 18:30")
        .with(\.proposed, [ParameterState(name: "time", value: .string("18:30"), origin: .confirmed)])
    private static let items = prompt(9, .choice, "Which one?").with(\.isAboutItems, true).with(\.options, options)
    private static let doubted = prompt(
        2, .confirmValue, "Wed, 25 Nov 2026 at 18:30: is that right?", of: "scheduledTime"
    ).with(\.value, .string("2026-11-25T17:30:00Z")).with(\.asked.provenance, understood[0].provenance)
    private static let shown = prompt(8, .confirmIntent, "Mia can be there in 4 minutes, for 12 pounds. Book it?")
        .with(\.supportingDialog, "Book Mia?").with(\.snippet, card)
    private static let signingIn = prompt(3, .signIn, "Sign in to Example Rides.", expires: 900).with(\.signIn, signIn)
    private static let authentication = prompt(3, .signIn, "Sign in to go on.", intent: "CheckBalance", expires: 600)
        .with(\.signIn, SignIn(requires: .localDevice))
    private static let whichIntent = prompt(1, .choice, "Which of these do you mean?").with(\.isAboutIntents, true)
        .with(
            \.options,
            [
                ParameterOption(id: "RequestRide", title: "Book a ride", value: .null),
                ParameterOption(id: "GetRideStatus", title: "Ask where the ride is", value: .null),
            ])

    /// A prompt with all members that a surface needs to show a form.
    private static let form = prompt(4, .value, "Six people at most. For how many?", of: "partySize")
        .with(\.asked.title, "Party size").with(\.asked.declaration, integer)
        .with(\.asked.unsupportedReason, "aboveMaximum").with(\.asked.rejectedValue, .number(9))
        .with(\.summary, "[Ride] to Station South for [Party size]")
        .with(
            \.parameters,
            [
                confirmedRide.with(\.value, .string("station-south")),
                PromptParameter(name: "partySize", title: "Party size", isMissing: true),
                PromptParameter(name: "ride", title: "Ride", isMissing: true, declaration: rides)
                    .with(\.options, rideOptions),
                PromptParameter(name: "note", title: "Note"),
            ])
    private static let rides = JSON(
        unchecked: #"{"type":{"name":"RideOption","description":"a kind of ride","schema":{"enum":["pool","black"]}},"#
            + #""required":true,"sensitivity":"private"}"#)
    private static let rideOptions = [
        ParameterOption(id: "pool", title: "Pool", value: .string("pool")),
        ParameterOption(id: "black", title: "Black", subtitle: "A large car", value: .string("black")),
    ]

    /// Sixty stops in two sections.
    private static let many = prompt(4, .choice, "Drop-off: which one?", of: "dropOff").with(\.omitsOptions, true)
        .with(
            \.options,
            (1...60).map { number in
                ParameterOption(
                    id: "stop-\(number)", title: "Stop \(number)", subtitle: number == 1 ? "At the harbour" : nil,
                    value: .string("stop-\(number)"), synonyms: number == 1 ? ["Harbour"] : [],
                    section: number > 30 ? "Line 2" : "Line 1", image: number == 1 ? .systemName("ferry") : nil,
                    comparison: number == 1 ? compared : nil)
            })

    private static let declared = prompt(4, .value, "How many bags does each have?", of: "bags")
        .with(\.asked.declaration, fullDeclaration).with(\.action, fullAction)
        .with(
            \.parameters,
            [
                confirmedRide.with(\.value, .string("station-south")).with(\.source, .remembered)
                    .with(\.reason, "as last time"),
                PromptParameter(name: "ride", title: "Ride", isMissing: true).with(\.omitsOptions, true),
            ])

    private static func handoff(_ mode: Handoff.Mode, claimant: Claimant? = nil) -> Handoff {
        Handoff(
            id: handoffID, request: "ride-1", mode: mode, activity: activity,
            interaction: Interaction(
                intent: "RequestRide", parameters: parameters, code: mode == .foreground ? .continueInApp : .handleInApp
            ), expires: after(600), claimant: claimant)
    }

    /// An activity with all its fields, in a handoff that was returned.
    private static let fullHandoff = handoff(.foreground).with(\.returns, 1)
        .with(\.activity.requiredUserInfoKeys, ["draft"]).with(\.activity.expirationDate, after(600).milliseconds)
        .with(\.activity.persistentIdentifier, "draft-D-1").with(\.activity.keywords, ["ride", "taxi"])
        .with(\.interaction.response, ["fare": .number(12)])

    private static func completion(
        _ intent: Identifier = "RequestRide", _ status: Completion.Status = .success, _ code: ResponseCode = .success,
        _ parameters: [ParameterState] = [], response: [String: JSON] = [:], dialog: String? = nil,
        activity: UserActivity? = nil, error: Rejection? = nil
    ) -> Completion {
        Completion(
            intent: intent, status: status, code: code, parameters: parameters, response: response, dialog: dialog,
            activity: activity, error: error, turns: 0)
    }

    private static let booked = completion(
        "RequestRide", .success, .success, parameters,
        response: ["fare": JSON(unchecked: #"{"amount":"12.00","currency":"GBP"}"#), "ride": .string("R-7")],
        dialog: "Your ride is booked."
    ).with(\.turns, 2)
    private static let unverified = completion(
        "RequestRide", .failure, "failureRequiringAppLaunchMustVerifyCredentials", parameters, activity: activity,
        error: Rejection(.unauthorized, "the account has no verified card", field: "parameters.payment"))
    private static let lost = completion(
        "SendPayment", .failure, .failure,
        error: Rejection(.outcomeUnknown, "the answer was lost: whether it has happened is not known")
    ).with(\.turns, 1)
    private static let found = completion(
        "ListRides", .success, .success, [parameters[0].with(\.isSecret, true)] + parameters.dropFirst()
    ).with(\.items, options)
    private static let chosen = completion("FindRestaurants").with(\.turns, 1).with(\.items, options)
        .with(\.chosen, options[0].id)
    private static let undoable = completion(
        "RequestRide", .success, .success, parameters, dialog: "Mia is on her way."
    ).with(\.turns, 2).with(\.supportingDialog, "On her way").with(\.snippet, card)
        .with(\.undo, OfferedUndo(intent: "CancelRide", title: "Cancel my ride", expires: after(600)))
    private static let partial = completion(
        "RequestRide", .success, .partialSuccess, parameters, dialog: "Sent to 2 of 3."
    ).with(\.turns, 2).with(\.results, parts)
    private static let ofPerson: Completion = {
        var home = ParameterState(name: "dropOff", value: .string("station-south"), origin: .resolved)
        home.provenance = Provenance(source: .remembered)
        home.provenance?.recordMemory(intent: "RequestRide", time: "2026-02-28T08:00:00.000Z")
        return completion("RequestRide", .success, .success, [home])
    }()

    /// The results in the order of their sequence numbers.
    static let results: Named<SessionResult.Body> = [
        "prompt.issued.v1.value": .prompted(value),
        "prompt.issued.v1.choice": .prompted(choice),
        "prompt.issued.v1.confirmValue": .prompted(confirmValue),
        "prompt.issued.v1.confirmIntent": .prompted(confirmIntent),
        "intent.progressed.v1": .progressed(
            Progress(phase: .handle, code: .inProgress, fraction: 0.5, dialog: "Looking for a driver.")),
        "handoff.offered.v1.foreground": .handoffOffered(handoff(.foreground)),
        "handoff.offered.v1.background": .handoffOffered(handoff(.background)),
        "results.handoff.claimed.v1": .handoffClaimed(handoff(.foreground, claimant: "phone")),
        "intent.completed.v1.success": .completed(booked),
        "intent.completed.v1.failure": .completed(unverified),
        "intent.completed.v1.cancelled": .completed(
            completion("RequestRide", .cancelled, "cancelled").with(\.turns, 1)),
        "request.rejected.v1": .rejected(
            Rejection(.invalid, "'whenBusy' is one of queue, replace, reject, interrupt", field: "whenBusy")),
        "prompt.issued.v1.element": .prompted(element),
        "prompt.issued.v1.secret": .prompted(secret),
        "intent.completed.v1.items": .completed(found),
        "intent.completed.v1.opens": .completed(
            completion().with(\.opens, OpenedRequest(request: "ride-1.opens", intent: "RateRide"))),
        "intent.progressed.v1.long": .progressed(Progress(phase: .handle, code: .inProgress)),
        "intent.completed.v1.outcomeUnknown": .completed(lost),
        "intent.answeredLate.v1": .lateOutcome(
            LateOutcome(
                intent: "RequestRide", code: .success, response: ["ride": .string("R-7")],
                dialog: "Your ride is booked.")),
        "handoff.offered.v1.full": .handoffOffered(fullHandoff),
        "intent.completed.v1.updates": .completed(completion("GetRideStatus").with(\.offersUpdates, true)),
        "results.intent.updated.v1": .updated(intent: "GetRideStatus", update),
        "results.updates.ended.v1": .updatesEnded(intent: "GetRideStatus", .stopped),
        "results.updates.ended.v1.invalid": .updatesEnded(
            intent: "GetRideStatus", .invalid,
            error: Rejection(.invalid, "an update has a phase, and it is not 'unknown'")),
        "prompt.issued.v1.proposed": .prompted(proposal),
        "prompt.issued.v1.items": .prompted(items),
        "intent.completed.v1.chosen": .completed(chosen),
        "prompt.issued.v1.manyOptions": .prompted(many),
        "prompt.issued.v1.form": .prompted(form),
        "options.listed.v1": .optionsListed(ListedOptions(of: many, OptionsRequest(prompt: many.id, start: 25))),
        "options.listed.v1.search": .optionsListed(
            ListedOptions(of: many, OptionsRequest(prompt: many.id, search: "line 2 stop 43"))),
        "prompt.issued.v1.signIn": .prompted(signingIn),
        "prompt.issued.v1.signIn.required": .prompted(authentication),
        "prompt.issued.v1.display": .prompted(shown),
        "intent.completed.v1.undo": .completed(undoable),
        "prompt.issued.v1.intents": .prompted(whichIntent),
        "intent.progressed.v1.queued": .progressed(Progress(phase: .resolve, code: .queued)),
        "intent.completed.v1.partial": .completed(partial),
        "prompt.issued.v1.provenance": .prompted(doubted),
        "intent.completed.v1.provenance": .completed(
            completion("RequestRide", .success, .success, understood).with(\.turns, 1)),
        "prompt.issued.v1.declaration": .prompted(declared),
        "intent.completed.v1.remembered": .completed(ofPerson),
        "request.rejected.v1.busy": .rejected(
            Rejection(
                .busy, "this partition has no room for the event at the moment; try again later",
                retryAfter: .seconds(60))),
        "memory.forgotten.v1": .memoryForgotten(
            ForgottenMemory(event: "event-5", keys: ["home", "payment"], count: 2)),
        "memory.forgotten.v1.all": .memoryForgotten(ForgottenMemory(event: "event-5", keys: nil, count: nil)),
        "answer.read.v1": .answerRead(ReadAnswer(prompt: promptID(4), readAs: .option, option: "south")),
        "answer.read.v1.unclear": .answerRead(
            ReadAnswer(
                prompt: promptID(4), readAs: .unclear,
                dialog: "Which one do you mean: 1. Station North; 2. Station South?")),
        "results.handoff.completed.v1": .handoffCompleted(
            handoff(.foreground, claimant: "phone"),
            IntentResponse(.success, dialog: "Your account is verified.").with(\.values, ["account": .string("A-1")])),
        "prompt.issued.v1.approval": .prompted(agreedByOne),
        "prompt.reminded.v1": .reminded(
            PromptReminder(
                agreedByOne.with(\.dialog, "Agreed: 1 of 2. Pool to Station South for £12?"), .agreed)),
        "prompt.reminded.v1.reminder": .reminded(PromptReminder(value, .reminder)),
        "prompt.reminded.v1.element": .reminded(PromptReminder(element, .reminder)),
        "prompt.reminded.v1.secret": .reminded(PromptReminder(secret, .reminder)),
        "prompt.reminded.v1.proposed": .reminded(PromptReminder(proposal, .reminder)),
        "prompt.reminded.v1.items": .reminded(PromptReminder(items, .reminder)),
        "prompt.reminded.v1.manyOptions": .reminded(PromptReminder(many, .reminder)),
        "prompt.reminded.v1.form": .reminded(PromptReminder(form, .reminder)),
        "prompt.reminded.v1.signIn": .reminded(PromptReminder(signingIn, .reminder)),
        "prompt.reminded.v1.signIn.required": .reminded(PromptReminder(authentication, .reminder)),
        "prompt.reminded.v1.display": .reminded(PromptReminder(shown, .reminder)),
        "prompt.reminded.v1.intents": .reminded(PromptReminder(whichIntent, .reminder)),
        "prompt.reminded.v1.provenance": .reminded(PromptReminder(doubted, .reminder)),
        "prompt.reminded.v1.declaration": .reminded(PromptReminder(declared, .reminder)),
        "prompt.reminded.v1.choice": .reminded(PromptReminder(choice, .reminder)),
        "intent.completed.v1.approved": .completed(
            booked.with(\.agreement, Agreement(agreedByOne, consents, approval))),
    ]

    private static let approvable = confirmIntent.with(
        \.waiting,
        Prompt.Waiting(
            since: time, ends: after(864_000), reminders: approval.reminders, approval: approval))
    private static let agreedByOne = approvable.with(
        \.waiting,
        approvable.waiting.map {
            $0.with(\.consents, [consents[0]]).with(\.delegators, [Principal(.appUser, "bob")])
        })
}
