import IntentModel

// Requests come, wait, interrupt, and are cancelled or changed.
extension Transition {
    mutating func requested(_ request: IntentRequest, isNamed: Bool) {
        var request = request
        if isNamed { request.isUnagreed = true }
        if request.memoryDone > 0 {
            session.person.note(done: request.memoryDone)
            request.memoryDone = 0
        }
        // Not every record has a time.
        if let clock = request.clock, clock.said.milliseconds <= 0 { request.clock?.said = now }
        if session.knows(request.id), Rule.requestsAreAcceptedOnce.holds { return ignore(.duplicateRequest) }
        if session.ending != nil {
            return reject(
                Rejection(
                    .busy, "the session is being ended; ask again when it has ended, in a new one", event: request.id))
        }
        guard let active = session.active else { return accept(request) { $0.begin(request) } }
        switch request.whenBusy {
        case .reject:
            reject(
                Rejection(
                    .busy, "the session is busy with '\(active.request.intent)'; ask again when it has ended",
                    event: request.id))
        case .replace:
            accept(request) { $0.replace(active, with: request) }
        case .interrupt where active.prompt != nil && session.suspended.count < policy.maximumSuspended:
            accept(request) { transition in
                transition.session.suspended.append(active)
                transition.begin(request)
            }
        case .queue where active.prompt?.isAboutItems == true && session.queued.isEmpty:
            // It has been handled, and only the choice of an item is open: the person goes on without it. Their choice may still be on its way, on another topic.
            accept(request) { transition in
                transition.session.queued.append(request)
                let ends = transition.now.advanced(by: transition.policy.choiceGrace)
                transition.session.active?.stageEnds = min(active.stageEnds, ends)
            }
        case .queue, .interrupt:
            let waiting = (session.queued + [request]).reduce(0) { $0 + $1.size }
            guard session.queued.count < policy.maximumQueued, waiting <= policy.maximumQueuedBytes else {
                return reject(
                    Rejection(
                        .busy, "\(session.queued.count) requests wait in this session already; ask again later",
                        event: request.id))
            }
            accept(request) { transition in
                transition.session.queued.append(request)
                // Workers are done soon; a person or an app may take minutes.
                guard active.prompt != nil || active.stage.handoff != nil else { return }
                transition.tell(
                    .progressed(Progress(phase: .resolve, code: .queued)), about: request.id, trace: request.trace)
            }
        }
    }

    /// No worker serves it. It is completed at once, and the active request goes on.
    mutating func unserved(_ request: IntentRequest, _ why: Rejection) {
        if session.knows(request.id), Rule.requestsAreAcceptedOnce.holds { return ignore(.duplicateRequest) }
        if session.ending != nil { return requested(request, isNamed: false) }
        accept(request) { transition in
            let ended = ActiveRequest(request: request, parameters: request.parameters, began: transition.now)
            transition.complete(ended, .unsupported, "noHandlerProvidedForIntent", error: why)
        }
    }

    /// The newest request replaces the active one, and any that already waits for the active one to stop. So at most one waits.
    private mutating func replace(_ active: ActiveRequest, with request: IntentRequest) {
        let dialog = "Replaced by another request."
        if let waiting = session.queued.first, waiting.whenBusy == .replace {
            session.queued.removeFirst()
            complete(
                ActiveRequest(request: waiting, parameters: waiting.parameters, began: now), .cancelled, "cancelled",
                dialog: dialog)
        }
        session.queued.insert(request, at: 0)
        if !active.isCancelling { cancelActive(dialog: dialog, .replaced) }
    }

    mutating func begin(_ request: IntentRequest) {
        session.active = ActiveRequest(request: request, parameters: [], began: now)
        session.active?.merge(request.parameters)
        session.active?.request.parameters = []
        if let deadline = request.deadline, deadline <= now {
            return end(.timedOut, "requestTimedOut", dialog: text(BuiltInText.tooLate))
        }
        if request.candidates.isEmpty { dispatch(.resolve) } else { chooseIntent(among: request.candidates) }
    }

    mutating func corrected(_ correction: Correction) {
        if let id = correction.request, id != session.active?.request.id { return correctedWaiting(id, correction) }
        guard let active = session.active else {
            return reject(
                Rejection(.unexpected, "there is no such request to correct", field: "request"),
                about: correction.request)
        }
        if active.isBeingHandled {
            return tooLateToCorrect(correction, active.request.id)
        }
        if active.prompt?.isAboutIntents == true { return intentNotKnown(active.request.id) }
        let change = ParameterState(name: correction.parameter, value: correction.value)
        guard fits([change]) else { return }
        merge([change])
        heard()
        dispatch(.resolve)
    }

    /// The person has said something else: the clock of what they say moves on.
    mutating func heard() {
        if session.active?.request.clock != nil { session.active?.request.clock?.said = now }
    }

    /// It is not known yet which intent the parameter belongs to.
    mutating func intentNotKnown(_ request: Identifier) {
        reject(
            Rejection(.unexpected, "say first which intent is meant: answer the open prompt", field: "parameter"),
            about: request)
    }

    /// The handler may already have used the old value.
    mutating func tooLateToCorrect(_ correction: Correction, _ request: Identifier) {
        reject(
            Rejection(
                .unexpected,
                "'\(correction.parameter)' can't be changed any more: the request is being handled; cancel it",
                field: "parameter"), about: request)
    }

    /// Whether the active request has room for these changes. If not, the person is told, and it stays as it is.
    mutating func fits(_ changes: [ParameterState]) -> Bool {
        guard let active = session.active, !changes.isEmpty else { return true }
        if active.hasRoom(for: changes, in: policy) { return true }
        let size = active.size(with: changes)
        reject(
            Rejection(
                .complex,
                "the request's parameters would have \(size) bytes; there is room for \(policy.maximumParameterBytes)",
                field: "parameters"), about: active.request.id)
        return false
    }

    mutating func cancelled(_ request: Identifier?) {
        if let request, let index = session.queued.firstIndex(where: { $0.id == request }) {
            let removed = session.queued.remove(at: index)
            return complete(
                ActiveRequest(request: removed, parameters: removed.parameters, began: now), .cancelled, "cancelled")
        }
        if let request, let index = session.suspended.firstIndex(where: { $0.request.id == request }) {
            return complete(session.suspended.remove(at: index), .cancelled, "cancelled")
        }
        guard let active = session.active, request == nil || request == active.request.id else {
            return reject(
                Rejection(
                    .unexpected, "there is no such request to cancel: it has ended or never began", field: "request"),
                about: request)
        }
        cancelActive(dialog: nil)
    }

    /// Cancels the active request. A running handler gets time to clean up, and may still report that it has succeeded.
    mutating func cancelActive(dialog: String?, _ reason: CancellationReason = .person) {
        guard var active = session.active else { return }
        if active.isCancelling { return ignore(.duplicateCancel) }
        guard let phase = active.phase else { return end(.cancelled, "cancelled", dialog: dialog) }
        // A handler that needs a permit and has none was not called, and will not be.
        let isAtIt = phase == .handle && active.retryAt == nil && !(active.isAtMostOnce && active.permit == nil)
        if isAtIt {
            active.stage.call?.cancelReason = reason
            active.stage.working?.announceAt = nil
            active.stageEnds = now.advanced(by: active.policy?.cleanupTimeout ?? policy.cancelTimeout)
            session.active = active
        }
        if active.retryAt == nil { effects.append(.work(.cancel(session.cancel(active, phase, reason)))) }
        if !isAtIt { end(.cancelled, "cancelled", dialog: dialog) }
    }
}

// The person changes a request that waits for its turn.
extension Transition {
    /// A request in the queue gets the value; an interrupted one is resolved again when it resumes.
    mutating func correctedWaiting(_ id: Identifier, _ correction: Correction) {
        if let index = session.queued.firstIndex(where: { $0.id == id }) {
            var request = session.queued[index]
            if !request.candidates.isEmpty { return intentNotKnown(id) }
            request.parameters.removeAll { $0.name == correction.parameter }
            request.parameters.append(ParameterState(name: correction.parameter, value: correction.value))
            let others = session.queued.reduce(0) { $0 + $1.size } - session.queued[index].size
            guard others + request.size <= policy.maximumQueuedBytes else {
                return tooLarge(policy.maximumQueuedBytes, id)
            }
            session.queued[index] = request
        } else if let index = session.suspended.firstIndex(where: { $0.request.id == id }) {
            var request = session.suspended[index]
            if request.isBeingHandled { return tooLateToCorrect(correction, id) }
            if request.prompt?.isAboutIntents == true { return intentNotKnown(id) }
            request.merge([ParameterState(name: correction.parameter, value: correction.value)])
            guard request.parameters.reduce(0, { $0 + $1.size }) <= policy.maximumParameterBytes else {
                return tooLarge(policy.maximumParameterBytes, id)
            }
            request.stage = .resolving(ActiveRequest.Working())
            session.suspended[index] = request
        } else {
            reject(
                Rejection(
                    .unexpected, "there is no such request to correct: it has ended or never began", field: "request"),
                about: id)
        }
    }

    private mutating func tooLarge(_ bytes: Int, _ id: Identifier) {
        reject(
            Rejection(
                .complex, "with that value there would be more than the \(bytes) bytes there is room for",
                field: "value"), about: id)
    }
}
