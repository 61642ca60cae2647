import Conversation
import IntentEvents
import IntentModel

// The examples of signing in, of undo, of parts, and of content beside a dialog.
extension Examples {
    private static var recognised: IntentRequest {
        var request = IntentRequest(id: "ride-1", intent: "")
        request.candidates = [
            IntentCandidate(
                intent: "RequestRide", confidence: 0.62, title: "Book a ride",
                parameters: [ParameterState(name: "dropOff", value: .string("Airport"))]),
            IntentCandidate(intent: "GetRideStatus", confidence: 0.55, title: "Ask where the ride is"),
        ]
        request.fallback = "Search"
        return request
    }

    private static var whichIntent: Prompt {
        var prompt = Prompt(
            id: "ride-1.1.9b1deb4d3b7d4bad", intent: "RequestRide", kind: .choice,
            dialog: "Which of these do you mean?",
            options: [
                ParameterOption(id: "RequestRide", title: "Book a ride", value: .null),
                ParameterOption(id: "GetRideStatus", title: "Ask where the ride is", value: .null),
            ], expires: time.advanced(by: .seconds(120)))
        prompt.isAboutIntents = true
        return prompt
    }

    private static var abroad: IntentRequest {
        let time = ParameterState(name: "scheduledTime", value: .string("morgen om half zeven"))
        var request = IntentRequest(id: "ride-1", intent: "RequestRide", parameters: [time], locale: "nl")
        request.clock = PersonClock(timeZone: "Europe/Amsterdam", ahead: -86_400_000, said: Examples.time)
        return request
    }

    static var laterWork: KeyValuePairs<String, Work> {
        var item = WorkItem(
            WorkAddress(request: "ride-1", step: 1, intent: "RequestRide", phase: .resolve),
            parameters: [ParameterState(name: "scheduledTime", value: .string("morgen om half zeven"))],
            deadline: time.advanced(by: .seconds(60)), idempotencyKey: "kitchen/ride-1", locale: "nl")
        (item.timeZone, item.now, item.ticket) = ("Europe/Amsterdam", time, ticket)
        var known = WorkItem(
            WorkAddress(request: "ride-1", step: 3, intent: "RequestRide", phase: .handle), parameters: understood,
            deadline: time.advanced(by: .seconds(60)), idempotencyKey: "kitchen/ride-1")
        known.ticket = ticket
        return ["intent.resolve.v1.clock": .item(item), "intent.handle.v1.provenance": .item(known)]
    }

    /// A value that was read from words, and a default.
    private static var understood: [ParameterState] {
        var time = ParameterState(name: "scheduledTime", value: .string("2026-11-25T17:30:00Z"), origin: .confirmed)
        time.provenance = ParameterState.Provenance(original: .string("tomorrow at half past six"), confidence: 0.6)
        var ride = ParameterState(name: "ride", value: .string("comfort"), origin: .resolved)
        ride.provenance = ParameterState.Provenance(source: .remembered)
        return [time, ride]
    }

    private static var doubtful: IntentRequest {
        var request = IntentRequest(
            id: "ride-1", intent: "RequestRide",
            parameters: [ParameterState(name: "dropOff", value: .string("the airport"))])
        request.parameters[0].provenance = ParameterState.Provenance(confidence: 0.4)
        return request
    }

    private static var doubted: Prompt {
        var prompt = Prompt(
            id: "ride-1.2.9b1deb4d3b7d4bad", intent: "RequestRide", kind: .confirmValue, parameter: "scheduledTime",
            dialog: "Wed, 25 Nov 2026 at 18:30: is that right?", value: .string("2026-11-25T17:30:00Z"),
            expires: time.advanced(by: .seconds(120)))
        prompt.provenance = understood[0].provenance
        return prompt
    }

    private static let read: [ResolvedParameter] = {
        var time = ResolvedParameter(name: "scheduledTime", resolution: .success(.string("2026-11-25T17:30:00Z")))
        time.provenance = ParameterState.Provenance(interpreted: .string("2026-11-25T18:30:00+01:00"), confidence: 0.6)
        var ride = ResolvedParameter(name: "ride", resolution: .success(.string("comfort")))
        ride.provenance = ParameterState.Provenance(source: .default)
        return [time, ride]
    }()

    static let laterRequests: KeyValuePairs<String, SessionEvent> = [
        "intent.requested.v1.clock": .requested(abroad),
        "intent.requested.v1.candidates": .requested(recognised),
        "intent.requested.v1.confidence": .requested(doubtful),
        "undo.requested.v1": .undoRequested(UndoRequest(id: "event-5", request: "ride-1")),
        "undo.requested.v1.smallest": .undoRequested(UndoRequest(id: "event-5")),
        "prompt.answered.v1.signIn": .answered(
            Answer(prompt: "ride-1.3.9b1deb4d3b7d4bad", action: .accept, value: .string("localDevice"))),
    ]

    private static let card = Snippet(
        plain: "Mia", subtitle: "Black estate", image: .systemName("car"),
        lines: [Snippet.Line(plain: "Arrives", "in 4 minutes"), Snippet.Line(plain: "Fare", "£12")])

    private static let signIn = SignIn(
        url: "https://rides.example.com/link", code: "WDJB-MJHT", title: "Example Rides", validFor: .seconds(900))

    private static var signInPrompt: Prompt {
        var prompt = Prompt(
            id: "ride-1.3.9b1deb4d3b7d4bad", intent: "RequestRide", kind: .signIn, dialog: "Sign in to Example Rides.",
            expires: time.advanced(by: .seconds(900)))
        prompt.signIn = signIn
        return prompt
    }

    private static var authentication: Prompt {
        var prompt = Prompt(
            id: "ride-1.3.9b1deb4d3b7d4bad", intent: "CheckBalance", kind: .signIn, dialog: "Sign in to go on.",
            expires: time.advanced(by: .seconds(600)))
        prompt.signIn = SignIn(requires: .localDevice)
        return prompt
    }

    private static var shown: Prompt {
        var prompt = Prompt(
            id: "ride-1.8.9b1deb4d3b7d4bad", intent: "RequestRide", kind: .confirmIntent,
            dialog: "Mia can be there in 4 minutes, for 12 pounds. Book it?",
            expires: time.advanced(by: .seconds(120)))
        prompt.supportingDialog = "Book Mia?"
        prompt.snippet = card
        return prompt
    }

    private static func done(_ code: ResponseCode, _ dialog: String) -> Completion {
        Completion(
            intent: "RequestRide", status: .success, code: code, parameters: parameters, dialog: dialog, turns: 2)
    }

    private static let parts = [
        ElementResult(id: "c-1", title: "Mia"), ElementResult(id: "c-2", title: "John"),
        ElementResult(id: "c-3", title: "Noa", code: "failureInboxFull", dialog: "The inbox is full."),
    ]

    private static var undoable: Completion {
        var completion = done(.success, "Mia is on her way.")
        completion.supportingDialog = "On her way"
        completion.snippet = card
        completion.undo = OfferedUndo(
            intent: "CancelRide", title: "Cancel my ride", expires: time.advanced(by: .seconds(600)))
        return completion
    }

    private static var partial: Completion {
        var completion = done(.partialSuccess, "Sent to 2 of 3.")
        completion.results = parts
        return completion
    }

    static let laterResults: KeyValuePairs<String, SessionResult.Body> = [
        "prompt.issued.v1.signIn": .prompted(signInPrompt),
        "prompt.issued.v1.signIn.required": .prompted(authentication),
        "prompt.issued.v1.display": .prompted(shown),
        "intent.completed.v1.undo": .completed(undoable),
        "prompt.issued.v1.intents": .prompted(whichIntent),
        "intent.progressed.v1.queued": .progressed(Progress(phase: .resolve, code: .queued)),
        "intent.completed.v1.partial": .completed(partial),
        "prompt.issued.v1.provenance": .prompted(doubted),
        "intent.completed.v1.provenance": .completed(
            Completion(intent: "RequestRide", status: .success, code: .success, parameters: understood, turns: 1)),
    ]

    private static var offering: IntentResponse {
        var response = IntentResponse(.success, dialog: "Mia is on her way.")
        response.supportingDialog = "On her way"
        response.snippet = card
        response.undo = UndoOffer(
            OpenedIntent(intent: "CancelRide", parameters: ["ride": .string("R-7")]), title: "Cancel my ride")
        return response
    }

    private static var reached: IntentResponse {
        var response = IntentResponse(.partialSuccess, dialog: "Sent to 2 of 3.")
        response.results = parts
        return response
    }

    private static var shownQuestion: PhaseQuestion {
        var question = PhaseQuestion(
            id: "sure", kind: .confirmIntent, dialog: "Mia can be there in 4 minutes, for 12 pounds. Book it?")
        question.supportingDialog = "Book Mia?"
        question.snippet = card
        return question
    }

    private static let spoken: [ResolvedParameter] = {
        var parameter = ResolvedParameter(
            name: "ride", title: "Ride", resolution: .needsValue(dialog: "Which ride, Pool or Black?"))
        parameter.supportingDialog = "Which ride?"
        return [parameter]
    }()

    static let laterOutcomes: KeyValuePairs<String, (Phase, Outcome.Content)> = [
        "intent.resolved.v1.ask.signIn": (
            .resolve, .finished(.asked(PhaseQuestion(id: "signIn#1", kind: .signIn(signIn))))
        ),
        "intent.confirmed.v1.ask.signIn.required": (
            .confirm, .finished(.asked(PhaseQuestion(id: "authentication", kind: .signIn(SignIn(requires: .person)))))
        ),
        "intent.handled.v1.ask.display": (.handle, .finished(.asked(shownQuestion))),
        "intent.handled.v1.undo": (.handle, .finished(.responded(offering))),
        "intent.handled.v1.partial": (.handle, .finished(.responded(reached))),
        "intent.resolved.v1.provenance": (.resolve, .finished(.resolved(read))),
        "intent.resolved.v1.recorded": (.resolve, .finished(.resolved(spoken, recorded: ["hold": .string("H-7")]))),
    ]
}
