import Conversation
import IntentModel

// A session as JSON in the journal. Only coordinators read it; times are milliseconds.
extension JSONWriter {
    mutating func session(_ journaled: JournaledSession) {
        let session = journaled.session
        beginObject()
        member("sequence", session.sequence)
        member("updated", Int(session.updated.milliseconds))
        if let active = session.active {
            name("active")
            self.active(active)
        }
        list("suspended", session.suspended) { $0.active($1) }
        list("queued", session.queued) { $0.journaledRequest($1) }
        list("handoffs", session.handoffs) { $0.journaledHandoff($1) }
        list("unanswered", session.unanswered) { $0.unanswered($1) }
        list("updates", session.updates) { $0.liveUpdates($1) }
        list("remembered", session.rememberedRequests) { $0.string($1) }
        if !session.memory.entries.isEmpty {
            name("memory")
            beginObject()
            // In their own order: the oldest goes first.
            for entry in session.memory.entries { member(named: entry.key, entry.value) }
            endObject()
        }
        if let ending = session.ending {
            name("ending")
            beginObject()
            member("reason", ifPresent: ending.reason)
            endObject()
        }
        list("unacknowledged", journaled.unacknowledged) { $0.result($1) }
        endObject()
    }

    private mutating func list<Element>(_ name: StaticString, _ elements: [Element], _ write: (inout JSONWriter, Element) -> Void) {
        if elements.isEmpty { return }
        self.name(name)
        beginArray()
        for element in elements { write(&self, element) }
        endArray()
    }

    private mutating func active(_ active: ActiveRequest) {
        beginObject()
        name("request")
        journaledRequest(active.request, withParameters: false)
        parameterStates(active.parameters)
        member("stage", active.stage.name.rawValue)
        if let prompt = active.prompt {
            name("prompt")
            beginObject()
            member("id", prompt.id)
            self.prompt(prompt, inJournal: true)
            endObject()
        }
        if case .handedOff(let handoff) = active.stage { member("handoff", handoff) }
        member("step", active.step)
        member("attempt", active.run.attempt)
        member("stageEnds", Int(active.stageEnds.milliseconds))
        if let retryAt = active.retryAt { member("retryAt", Int(retryAt.milliseconds)) }
        if active.asking.turns > 0 { member("turns", active.asking.turns) }
        if !active.asking.asks.isEmpty { object("asks", active.asking.asks.mapValues { .number($0) }) }
        if active.run.isInApp { member("inApp", true) }
        if active.isCancelling { member("cancelling", true) }
        if let fraction = active.run.fraction {
            name("fraction")
            number(fraction)
        }
        if let activity = active.confirmed.activity {
            name("activity")
            userActivity(activity)
        }
        if !active.confirmed.items.isEmpty { options(active.confirmed.items, named: "items", withValues: true) }
        if let result = active.result {
            name("result")
            beginObject()
            response(result)
            endObject()
        }
        if active.redone > 0 { member("redone", active.redone) }
        notes(active.run.notes)
        if active.asking.questions > 0 { member("questions", active.asking.questions) }
        if let validUntil = active.confirmed.validUntil { member("validUntil", Int(validUntil.milliseconds)) }
        if active.traits.knowsSecrets { member("knowsSecrets", true) }
        if !active.traits.memoryKeys.isEmpty { object("memoryKeys", active.traits.memoryKeys.mapValues { .string($0) }) }
        conduct(active)
        endObject()
    }

    private mutating func notes(_ notes: PhaseNotes) {
        if notes == PhaseNotes() { return }
        name("notes")
        beginObject()
        answers(notes.answers)
        if !notes.recorded.isEmpty { object("recorded", notes.recorded) }
        if !notes.asks.isEmpty { object("asks", notes.asks.mapValues { .number($0) }) }
        endObject()
    }

    /// What the intent asks for, and how far that has come.
    private mutating func conduct(_ active: ActiveRequest) {
        if let policy = active.policy {
            name("policy")
            intentPolicy(policy)
        }
        member("permit", ifPresent: active.permit)
        if let announceAt = active.announceAt { member("announceAt", Int(announceAt.milliseconds)) }
        member("cancelReason", ifPresent: active.cancelReason?.rawValue)
        if !active.asking.misses.isEmpty {
            name("misses")
            beginObject()
            for (name, misses) in active.asking.misses.sorted(by: { $0.key < $1.key }) {
                self.name(named: name)
                beginObject()
                if misses.noAnswer > 0 { member("noAnswer", misses.noAnswer) }
                if misses.noMatch > 0 { member("noMatch", misses.noMatch) }
                if misses.unsupported > 0 { member("unsupported", misses.unsupported) }
                if misses.wasOffered { member("offered", true) }
                endObject()
            }
            endObject()
        }
        if !active.asking.alternatives.isEmpty {
            options(active.asking.alternatives, named: "alternatives", withValues: true)
        }
    }

    private mutating func liveUpdates(_ updates: LiveUpdates) {
        beginObject()
        name("request")
        journaledRequest(updates.request, withParameters: false)
        parameterStates(updates.parameters)
        if updates.isInApp { member("inApp", true) }
        if updates.isOpen { member("open", true) }
        if updates.isStopped { member("stopped", true) }
        member("step", updates.step)
        if updates.restarts > 0 { member("restarts", updates.restarts) }
        member("phase", ifPresent: updates.phase)
        if let told = updates.told { member("told", Int(told.milliseconds)) }
        member("silentAt", Int(updates.silentAt.milliseconds))
        member("ends", Int(updates.ends.milliseconds))
        endObject()
    }

    private mutating func unanswered(_ work: UnansweredWork) {
        beginObject()
        member("request", work.request)
        member("intent", work.intent)
        member("step", work.step)
        trace(work.trace)
        endObject()
    }

    private mutating func journaledRequest(_ request: IntentRequest, withParameters: Bool = true) {
        beginObject()
        member("id", request.id)
        member("intent", request.intent)
        if withParameters { parameterStates(request.parameters) }
        if request.whenBusy != .queue { member("whenBusy", request.whenBusy.rawValue) }
        if let deadline = request.deadline { member("deadline", Int(deadline.milliseconds)) }
        member("locale", ifPresent: request.locale)
        if !request.attributes.isEmpty { object("attributes", request.attributes) }
        trace(request.trace)
        if request.depth > 0 { member("depth", request.depth) }
        endObject()
    }

    private mutating func trace(_ trace: TraceContext?) {
        guard let trace else { return }
        member("traceparent", trace.parent)
        member("tracestate", ifPresent: trace.state)
    }

    private mutating func journaledHandoff(_ handoff: Handoff) {
        beginObject()
        member("id", handoff.id)
        member("request", handoff.request)
        member("mode", handoff.mode.rawValue)
        name("activity")
        userActivity(handoff.activity)
        member("intent", handoff.interaction.intent)
        parameterStates(handoff.interaction.parameters)
        member("code", handoff.interaction.code.rawValue)
        if !handoff.interaction.response.isEmpty { object("response", handoff.interaction.response) }
        if handoff.returns > 0 { member("returns", handoff.returns) }
        member("expires", Int(handoff.expires.milliseconds))
        member("claimant", ifPresent: handoff.claimant)
        endObject()
    }

    private mutating func result(_ result: EncodedResult) {
        beginObject()
        member("sequence", result.sequence)
        member("type", result.type.rawValue)
        member("request", ifPresent: result.request)
        member("time", Int(result.time.milliseconds))
        trace(result.trace)
        member("data", result.data)
        endObject()
    }
}
