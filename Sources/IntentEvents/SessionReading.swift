import Conversation
import IntentModel

extension JournaledSession {
    /// Reads what ``JSONWriter/session(_:)`` wrote; `nil` if it is not that.
    init?(_ view: JSONView, id: String) {
        guard view.kind == .object else { return nil }
        var session = Session(id: id, updated: Instant(milliseconds: 0))
        var unacknowledged: [EncodedResult] = []
        for (name, value) in view.members {
            switch name {
            case "sequence": session.sequence = value.count
            case "updated": session.updated = value.instant
            case "active":
                guard let active = ActiveRequest(value) else { return nil }
                session.active = active
            case "suspended": session.suspended = value.elements.compactMap(ActiveRequest.init)
            case "queued": session.queued = value.elements.compactMap(IntentRequest.init(journaled:))
            case "handoffs": session.handoffs = value.elements.compactMap(Handoff.init)
            case "unanswered": session.unanswered = value.elements.compactMap(UnansweredWork.init)
            case "updates": session.updates = value.elements.compactMap(LiveUpdates.init)
            case "remembered": session.rememberedRequests = value.elements.compactMap(\.string)
            case "memory": session.memory = SessionMemory(value.members.map { SessionMemory.Entry(key: $0.name, value: $0.value.json) })
            case "ending": session.ending = SessionEnding(reason: value["reason"]?.string)
            case "unacknowledged": unacknowledged = value.elements.compactMap(EncodedResult.init)
            default: break
            }
        }
        self.init(session, unacknowledged: unacknowledged)
    }
}

extension JSONView {
    fileprivate var instant: Instant { Instant(milliseconds: Int64(int ?? 0)) }

    /// What is counted up: kept where counting on can't overflow, whatever stands there.
    fileprivate var count: Int { min(max(int ?? 0, 0), 1 << 53) }

    fileprivate var trace: TraceContext? {
        self["traceparent"]?.string.map { TraceContext(parent: $0, state: self["tracestate"]?.string) }
    }
}

extension ActiveRequest {
    fileprivate init?(_ view: JSONView) {
        var active = ActiveRequest(request: IntentRequest(id: "", intent: ""), parameters: [], stageEnds: Instant(milliseconds: 0))
        var stage: StageName?
        var prompt: Prompt?
        var handoff: String?
        var working = Working()
        var call = HandlerCall()
        var isCancelling = false
        for (name, value) in view.members {
            switch name {
            case "request":
                guard let request = IntentRequest(journaled: value) else { return nil }
                active.request = request
            case "parameters": active.parameters = value.parameterStates
            case "stage": stage = value.string.flatMap(StageName.init)
            case "prompt": prompt = Prompt(value)
            case "handoff": handoff = value.string
            case "step": active.step = value.count
            case "attempt": active.run.attempt = max(1, value.count)
            case "stageEnds": active.stageEnds = value.instant
            case "retryAt": working.retryAt = value.instant
            case "turns": active.asking.turns = value.count
            case "asks": for (name, value) in value.members { active.asking.asks[name] = value.count }
            case "inApp": active.run.isInApp = value.bool ?? false
            case "cancelling": isCancelling = value.bool ?? false
            case "fraction": active.run.fraction = value.double
            case "activity": active.confirmed.activity = value.userActivity
            case "items": active.confirmed.items = value.elements.compactMap(\.option)
            case "result": active.result = IntentResponse(journaled: value)
            case "redone": active.redone = value.count
            case "notes": active.run.notes = PhaseNotes(value)
            case "questions": active.asking.questions = value.count
            case "validUntil": active.confirmed.validUntil = value.instant
            case "knowsSecrets": active.traits.knowsSecrets = value.bool ?? false
            case "memoryKeys": for (name, value) in value.members { active.traits.memoryKeys[name] = value.string }
            case "policy": active.traits.policy = value.intentPolicy
            case "permit": call.permit = value.string
            case "announceAt": working.announceAt = value.instant
            case "cancelReason": call.cancelReason = value.string.flatMap(CancellationReason.init)
            case "misses": for (name, value) in value.members { active.asking.misses[name] = Misses(value) }
            case "alternatives": active.asking.alternatives = value.elements.compactMap(\.option)
            default: break
            }
        }
        if isCancelling, call.cancelReason == nil { call.cancelReason = .person }
        switch (stage, prompt, handoff) {
        case (.resolving, _, _): active.stage = .resolving(working)
        case (.confirming, _, _): active.stage = .confirming(working)
        case (.handling, _, _): active.stage = .handling(working, call)
        case (.inProgress, _, _): active.stage = .inProgress(call)
        case (.awaitingAnswer, let prompt?, _): active.stage = .awaitingAnswer(prompt)
        case (.awaitingConfirmation, let prompt?, _): active.stage = .awaitingConfirmation(prompt)
        case (.handedOff, _, let handoff?): active.stage = .handedOff(handoff: handoff)
        default: return nil
        }
        self = active
    }
}

extension IntentResponse {
    /// What a handler answered before the person was asked something about it.
    fileprivate init?(journaled view: JSONView) {
        guard view["code"] != nil else { return nil }
        self.init(.unspecified)
        for (name, value) in view.members {
            switch name {
            case "updates": offersUpdates = value.bool ?? false
            // It was checked when it came.
            case "activity": userActivity = value.userActivity
            default: _ = try? take(name, value)
            }
        }
    }
}

extension PhaseNotes {
    fileprivate init(_ view: JSONView) {
        self.init(answers: view["answers"]?.answers ?? [], recorded: view["recorded"]?.values ?? [:])
        for (name, value) in view["asks"]?.members ?? [] { asks[name] = value.count }
    }
}

extension IntentRequest {
    fileprivate init?(journaled view: JSONView) {
        guard let id = view["id"]?.string, let intent = view["intent"]?.string else { return nil }
        self.init(id: id, intent: intent)
        for (name, value) in view.members {
            switch name {
            case "parameters": parameters = value.parameterStates
            case "whenBusy": whenBusy = value.string.flatMap(WhenBusy.init) ?? .queue
            case "deadline": deadline = value.instant
            case "locale": locale = value.string
            case "attributes": for (name, value) in value.members { attributes[name] = value.json }
            case "traceparent": trace = view.trace
            case "depth": depth = value.count
            default: break
            }
        }
    }
}

extension Misses {
    fileprivate init(_ view: JSONView) {
        self.init()
        noAnswer = view["noAnswer"]?.count ?? 0
        noMatch = view["noMatch"]?.count ?? 0
        unsupported = view["unsupported"]?.count ?? 0
        wasOffered = view["offered"]?.bool ?? false
    }
}

extension LiveUpdates {
    fileprivate init?(_ view: JSONView) {
        guard let request = view["request"].flatMap(IntentRequest.init(journaled:)) else { return nil }
        self.init(
            request: request, parameters: view["parameters"]?.parameterStates ?? [], isInApp: view["inApp"]?.bool ?? false,
            step: view["step"]?.count ?? 0, silentAt: view["silentAt"]?.instant ?? Instant(milliseconds: 0),
            ends: view["ends"]?.instant ?? Instant(milliseconds: 0))
        isOpen = view["open"]?.bool ?? false
        isStopped = view["stopped"]?.bool ?? false
        restarts = view["restarts"]?.count ?? 0
        phase = view["phase"]?.string
        told = view["told"]?.instant
    }
}

extension UnansweredWork {
    fileprivate init?(_ view: JSONView) {
        guard let request = view["request"]?.string, let intent = view["intent"]?.string, let step = view["step"]?.count else { return nil }
        self.init(request: request, intent: intent, step: step, trace: view.trace)
    }
}

extension Prompt {
    fileprivate init?(_ view: JSONView) {
        guard let id = view["id"]?.string, let intent = view["intent"]?.string, let kind = view["kind"]?.string.flatMap(Kind.init),
            let expires = view["expires"]?.string.flatMap(Instant.init(rfc3339:))
        else { return nil }
        self.init(id: id, intent: intent, kind: kind, dialog: view["dialog"]?.string ?? "", expires: expires)
        for (name, value) in view.members {
            switch name {
            case "parameter": parameter = value.string
            case "value": self.value = value.json
            case "options": options = value.elements.compactMap(\.option)
            case "unsupported": unsupportedReason = value["reason"]?.string
            case "summary": summary = value.string
            case "title": title = value.string
            case "element": element = value.int
            case "secret": isSecret = value.bool ?? false
            case "question": question = Question(value)
            case "items": isAboutItems = value.bool ?? false
            case "parameters": proposed = value.parameterStates
            default: break
            }
        }
    }
}

extension Prompt.Question {
    fileprivate init?(_ view: JSONView) {
        guard let id = view["id"]?.string, let phase = view["phase"]?.string.flatMap(Phase.init) else { return nil }
        self.init(id: id, phase: phase)
    }
}

extension Handoff {
    fileprivate init?(_ view: JSONView) {
        guard let id = view["id"]?.string, let request = view["request"]?.string, let mode = view["mode"]?.string.flatMap(Mode.init),
            let activity = view["activity"]?.userActivity, let intent = view["intent"]?.string, let code = view["code"]?.string
        else { return nil }
        self.init(
            id: id, request: request, mode: mode, activity: activity,
            interaction: Interaction(
                intent: intent, parameters: view["parameters"]?.parameterStates ?? [], code: ResponseCode(rawValue: code)),
            expires: view["expires"]?.instant ?? Instant(milliseconds: 0), claimant: view["claimant"]?.string)
        returns = view["returns"]?.count ?? 0
        for (name, value) in view["response"]?.members ?? [] { interaction.response[name] = value.json }
    }
}

extension EncodedResult {
    fileprivate init?(_ view: JSONView) {
        guard let sequence = view["sequence"]?.int, let type = view["type"]?.string.flatMap(EventType.init), let data = view["data"] else {
            return nil
        }
        self.init(
            sequence: sequence, type: type, request: view["request"]?.string, time: view["time"]?.instant ?? Instant(milliseconds: 0),
            data: data.json, trace: view.trace)
    }
}
