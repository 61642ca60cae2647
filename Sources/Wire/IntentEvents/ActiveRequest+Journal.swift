import Conversation
import IntentModel

// A request in the journal: the fields of its stage and of what outlives the stage are members of one object.
extension ActiveRequest: JournalObject {
    static var blank: ActiveRequest { ActiveRequest(request: .blank, parameters: [], began: Instant(milliseconds: 0)) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        var stage = StageFields(stage)
        try coder.bare("request", &request)
        try coder.parameters(&parameters)
        try coder.field("stage", &stage.name)
        try coder.field("prompt", &stage.prompt)
        try coder.field("handoff", &stage.handoff)
        try coder.field("step", &step)
        try coder.field("ticket", &ticket)
        try coder.field("attempt", &run.attempt)
        // A version that does not know reminders ends the stage at its end.
        var ends = stage.prompt?.waiting?.ends ?? stageEnds
        try coder.field("stageEnds", &ends)
        try coder.field("began", &times.began, default: Instant(milliseconds: 0))
        try coder.field("waited", &times.waited, default: 0)
        try coder.field("retryAt", &stage.working.retryAt)
        try coder.field("turns", &asking.turns, default: 0)
        try coder.field("asks", &asking.asks, default: [:])
        try coder.field("inApp", &run.isInApp, default: false)
        try coder.field("cancelling", &stage.isCancelling, default: false)
        try coder.field("fraction", &run.fraction)
        try coder.field("activity", &confirmed.$activity)
        try coder.field("items", &confirmed.items, default: [])
        try coder.field("result", &$result)
        try coder.route("openedRoute", &openedRoute)
        try coder.field("openedMemory", &openedMemory, default: [])
        try coder.field("redone", &redone, default: 0)
        try coder.field("notes", &run.notes, default: PhaseNotes())
        try coder.field("questions", &asking.questions, default: 0)
        try coder.field("validUntil", &confirmed.validUntil)
        try coder.field("agreement", &confirmed.$agreement)
        try coder.field("knowsSecrets", &traits.knowsSecrets, default: false)
        try coder.field("memoryKeys", &traits.memoryKeys, default: [:])
        try coder.field("rememberedForPerson", &traits.rememberedForPerson, default: [])
        try coder.field("policy", &traits.$policy)
        try coder.field("confirmation", &traits.$confirmation)
        try coder.field("permit", &stage.call.permit)
        try coder.field("announceAt", &stage.working.announceAt)
        try coder.field("cancelReason", &stage.call.cancelReason)
        try coder.field("misses", &asking.misses, default: [:])
        try coder.field("alternatives", &asking.alternatives, default: [])
        try coder.field("inWords", &asking.$heard)
        var replaced = asking.replaced.isEmpty ? nil : JournalParameters(asking.replaced)
        try coder.field("replaced", &replaced)
        guard Coder.isReading else { return }
        if let replaced { asking.replaced = replaced.states }
        try coder.require(stage.stage != nil, "stage", "is '\(stage.name.rawValue)' without what belongs to it")
        if let stage = stage.stage { self.stage = stage }
        stageEnds = stage.prompt?.waiting?.next ?? ends
    }

    /// The fields that a stage has, or may have.
    private struct StageFields {
        var name: StageName
        var prompt: Prompt?
        var handoff: Identifier?
        var working: Working
        var call: HandlerCall
        var isCancelling: Bool

        init(_ stage: Stage) {
            name = stage.name
            prompt = stage.prompt
            handoff = stage.handoff
            working = stage.working ?? Working()
            call = stage.call ?? HandlerCall()
            isCancelling = call.cancelReason != nil
        }

        /// `nil` if they don't make one.
        var stage: Stage? {
            var call = call
            // The first versions wrote no reason.
            if isCancelling, call.cancelReason == nil { call.cancelReason = .person }
            switch name {
            case .resolving: return .resolving(working)
            case .awaitingAnswer: return prompt.map { .awaitingAnswer($0) }
            case .confirming: return .confirming(working)
            case .awaitingConfirmation: return prompt.map { .awaitingConfirmation($0) }
            case .handling: return .handling(working, call)
            case .inProgress: return .inProgress(call)
            case .handedOff: return handoff.map { .handedOff(handoff: $0) }
            case .queued, .ended: return nil
            }
        }
    }
}

extension IntentRequest: JournalObject {
    static var blank: IntentRequest { IntentRequest(id: "", intent: "") }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try fields(&coder, withParameters: true)
    }

    fileprivate mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder, withParameters: Bool)
        throws(Coder.Failure)
    {
        try coder.field("id", &id)
        try coder.field("intent", &intent)
        if withParameters { try coder.parameters(&parameters) }
        try coder.field("whenBusy", &whenBusy, default: .queue)
        try coder.field("deadline", &deadline)
        try coder.field("locale", &locale)
        try coder.field("attributes", &attributes, default: [:])
        try coder.trace(&trace)
        try coder.field("principal", &principal)
        try coder.field("depth", &depth, default: 0)
        try coder.field("clock", &clock)
        try coder.field("candidates", &candidates, default: [])
        try coder.field("fallback", &fallback)
        try coder.route("fallbackRoute", &fallbackRoute)
        try coder.route("route", &route)
        if Coder.isReading || knowsMemory {
            try coder.field("memory", &remembered, default: [])
            try coder.field("memorySince", &memorySince)
            try coder.field("memoryForgotten", &isForgotten, default: false)
        }
        try coder.field("unagreed", &isUnagreed, default: false)
    }
}

extension PersonClock: JournalObject {
    static var blank: PersonClock { PersonClock(said: Instant(milliseconds: 0)) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        // The person's own time, which is never negative, where how far it is ahead may be.
        var now = now
        try coder.field("timeZone", &timeZone)
        try coder.field("said", &said)
        try coder.field("now", &now)
        if Coder.isReading { ahead = now.milliseconds(since: said) }
    }
}

extension IntentCandidate: JournalObject {
    static var blank: IntentCandidate { IntentCandidate(intent: "", confidence: 0) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("intent", &intent)
        try coder.field("confidence", &confidence)
        try coder.field("title", &title)
        try coder.parameters(&parameters)
        try coder.route("route", &route)
    }
}

/// The fields of a route, which itself never changes.
private struct RouteFields: JournalObject {
    var service: String?
    var appService: String?
    var isInApp = false

    static var blank: RouteFields { RouteFields() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("service", &service)
        try coder.field("appService", &appService)
        try coder.field("inApp", &isInApp, default: false)
    }
}

extension AnswersInWords: JournalObject {
    static var blank: AnswersInWords { AnswersInWords() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("said", &said, default: [])
        try coder.field("unread", &isUnread, default: false)
        try coder.field("unreadAnswers", &unreadAnswers, default: 0)
        try coder.field("mustAgree", &mustAgree, default: false)
        try coder.field("replaced", &replaced, default: [:])
    }
}

extension SaidAnswer: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("words", &words)
        try coder.field("language", &language)
        try coder.field("parameter", &parameter)
        try coder.field("element", &element)
        try coder.field("offered", &offered, default: [])
        try coder.field("alone", &isForParameterAlone, default: false)
    }
}

extension Principal: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("type", &kind)
        try coder.field("id", &id)
    }
}

/// A request whose parameters are kept beside it.
private struct BareRequest: JournalObject {
    var request: IntentRequest

    static var blank: BareRequest { BareRequest(request: .blank) }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try request.fields(&coder, withParameters: false)
    }
}

extension JournalCoder where Self: ~Copyable {
    /// Which workers get the work of a request; left out if those of the default service do.
    fileprivate mutating func route(_ name: StaticString, _ route: inout IntentRoute?) throws(Failure) {
        if route == nil, !Self.isReading { return }
        var fields = route.map { RouteFields(service: $0.service, appService: $0.appService, isInApp: $0.isInApp) }
        try field(name, &fields)
        if Self.isReading {
            route = fields.map { IntentRoute(service: $0.service, appService: $0.appService, isInApp: $0.isInApp) }
        }
    }

    /// A request whose parameters are kept beside it.
    mutating func bare(_ name: StaticString, _ request: inout IntentRequest) throws(Failure) {
        var bare = BareRequest(request: request)
        try field(name, &bare)
        if Self.isReading { request = bare.request }
    }
}

extension PhaseNotes: JournalObject {
    static var blank: PhaseNotes { PhaseNotes() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("answers", &answers, default: [])
        try coder.field("recorded", &recorded, default: [:])
        try coder.field("asks", &asks, default: [:])
        try coder.field("said", &said, default: [])
        try coder.field("phase", &phase)
    }
}

extension PhaseAnswer: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("question", &question)
        try coder.field("accepted", &isAccepted)
        try coder.field("value", &value)
    }
}

extension ConfirmationRequest: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("dialog", &dialog)
        try coder.field("summary", &summary)
        try coder.field("parameters", &parameters, default: [])
        try coder.field("action", &action)
        try coder.field("approval", &$approval)
    }
}

extension PromptParameter: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("parameter", &name)
        try coder.field("title", &title)
        try coder.field("text", &text)
        try coder.field("value", &value)
        try coder.field("source", &source)
        try coder.field("reason", &reason)
        try coder.field("missing", &isMissing, default: false)
        try coder.field("declaration", &declaration)
        try coder.field("options", &options, default: [])
        try coder.field("optionsOmitted", &omitsOptions, default: false)
    }
}

extension Misses: JournalObject {
    static var blank: Misses { Misses() }

    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("noAnswer", &noAnswer, default: 0)
        try coder.field("noMatch", &noMatch, default: 0)
        try coder.field("unsupported", &unsupported, default: 0)
        try coder.field("offered", &wasOffered, default: false)
        try coder.field("declined", &declined, default: [])
    }
}

extension ParameterState: JournalObject {
    /// All but its name, which the object around it has.
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("value", &value)
        try coder.field("state", &origin)
        try coder.field("elements", &elements)
        try coder.field("secret", &isSecret, default: false)
        try coder.field("unknown", &isUnknown, default: false)
        try coder.field("provenance", &$provenance)
    }
}

extension ParameterOption: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("id", &id)
        try coder.field("title", &title)
        try coder.field("subtitle", &subtitle)
        try coder.field("value", &value)
        try coder.field("synonyms", &synonyms, default: [])
        try coder.field("section", &section)
        var picture = image?.json
        try coder.field("image", &picture)
        if Coder.isReading { image = picture.flatMap { DisplayImage($0.view) } }
        try coder.field("comparison", &$comparison)
    }
}

extension OptionComparison: JournalObject {
    mutating func fields<Coder: JournalCoder & ~Copyable>(_ coder: inout Coder) throws(Coder.Failure) {
        try coder.field("price", &price)
        try coder.field("time", &time)
        try coder.field("distance", &distance)
        try coder.field("duration", &duration)
        try coder.field("size", &size)
    }
}
