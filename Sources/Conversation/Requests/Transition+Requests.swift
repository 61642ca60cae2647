import IntentModel

// Requests come, wait, interrupt, and are cancelled or changed.
extension Transition {
    mutating func requested(_ request: IntentRequest, isNamed: Bool) {
        var request = request
        if session.knows(request.id) { return ignore(.duplicateRequest) }  // rule: requestsAreAcceptedOnce
        if isNamed { request.isUnagreed = true }
        if request.memoryDone > 0 {
            session.person.note(done: request.memoryDone)
            request.memoryDone = 0
        }
        // Not every record has a time.
        if let clock = request.clock, clock.said.milliseconds <= 0 { request.clock?.said = now }
        if session.ending != nil {
            return reject(
                Rejection(
                    .busy, "the session is being ended; ask again when it has ended, in a new one", event: request.id))
        }
        if session.isIdle {
            accept(request.id)
            return begin(request)
        }
        switch request.whenBusy {
        case .reject:
            reject(
                Rejection(
                    .busy,
                    "the session is busy with '\(session.active?.request.intent ?? "")'; ask again when it has ended",
                    event: request.id))
        case .replace:
            accept(request.id)
            replaceActive(with: request)
        case .interrupt
        where session.active?.stage.isPrompt == true && session.suspended.count < policy.limits.maximumSuspended:
            accept(request.id)
            if let active = session.active.take() { session.suspended.append(active) }
            begin(request)
        case .queue where session.active?.stage.prompt?.isAboutItems == true && session.queued.isEmpty:
            // It has been handled, and only the choice of an item is open: the person goes on without it. Their choice may still be on its way, on another topic.
            accept(request.id)
            session.queued.append(request)
            let grace = now.advanced(by: policy.choiceGrace)
            let ends = min(session.active?.stageEnds ?? grace, grace)
            session.active?.stageEnds = ends
        case .queue, .interrupt: queue(request)
        }
    }

    private mutating func queue(_ request: IntentRequest) {
        let waiting = session.queued.reduce(request.size) { $0 + $1.size }
        guard session.queued.count < policy.limits.maximumQueued, waiting <= policy.limits.maximumQueuedBytes else {
            return reject(
                Rejection(
                    .busy, "\(session.queued.count) requests wait in this session already; ask again later",
                    event: request.id))
        }
        accept(request.id)
        session.queued.append(request)
        // Workers are done soon; a person or an app may take minutes.
        if session.active?.stage.phase != nil { return }
        tell(.progressed(Progress(phase: .resolve, code: .queued)), about: request.id, trace: request.trace)
    }

    /// No worker serves it. It is completed at once, and the active request goes on.
    mutating func unserved(_ request: IntentRequest, _ why: Rejection) {
        if session.knows(request.id) { return ignore(.duplicateRequest) }  // rule: requestsAreAcceptedOnce
        if session.ending != nil { return requested(request, isNamed: false) }
        accept(request.id)
        completeWaiting(request, .unsupported, "noHandlerProvidedForIntent", error: why)
    }

    /// Completes a request that has not begun.
    mutating func completeWaiting(
        _ request: IntentRequest, _ status: Completion.Status, _ code: ResponseCode, dialog: String? = nil,
        error: Rejection? = nil
    ) {
        let ended = ActiveRequest(request: request, parameters: request.parameters, began: now)
        complete(ended, status, code, dialog: dialog, error: error)
    }

    /// The newest request replaces the active one, and any that already waits for the active one to stop. So at most one waits.
    private mutating func replaceActive(with request: IntentRequest) {
        let dialog = "Replaced by another request."
        if session.queued.first?.whenBusy == .replace {
            completeWaiting(session.queued.removeFirst(), .cancelled, "cancelled", dialog: dialog)
        }
        session.queued.insert(request, at: 0)
        if session.active?.stage.isCancelling == false { cancelActive(dialog: dialog, .replaced) }
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
        guard let request = session.active?.request.id else {
            return reject(
                Rejection(.unexpected, "there is no such request to correct", field: "request"),
                about: correction.request)
        }
        if session.active?.isBeingHandled == true { return tooLateToCorrect(correction, request) }
        if session.active?.stage.prompt?.isAboutIntents == true { return intentNotKnown(request) }
        let change = ParameterState(name: correction.parameter, value: correction.value)
        guard checkRoom(for: [change]) == .accepted else { return }
        merge([change])
        heard()
        dispatch(.resolve)
    }

    /// The person has said something else: the clock of what they say moves on.
    mutating func heard() {
        session.active?.request.clock?.said = now
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

    /// Checks that the active request has room for these changes. If not, the person is told.
    mutating func checkRoom(for changes: [ParameterState]) -> Verdict {
        guard !changes.isEmpty, let size = session.active?.size(with: changes),
            size > policy.limits.maximumParameterBytes
        else { return .accepted }
        reject(
            Rejection(
                .complex,
                "the request's parameters would have \(size) bytes; there is room for \(policy.limits.maximumParameterBytes)",
                field: "parameters"), about: session.active?.request.id)
        return .refused
    }

    mutating func cancelled(_ request: Identifier?) {
        if let request, let index = session.queued.firstIndex(where: { $0.id == request }) {
            return completeWaiting(session.queued.remove(at: index), .cancelled, "cancelled")
        }
        if let request, let index = session.suspended.firstIndex(where: { $0.request.id == request }) {
            return complete(session.suspended.remove(at: index), .cancelled, "cancelled")
        }
        guard let active = session.active?.request.id, request == nil || request == active else {
            return reject(
                Rejection(
                    .unexpected, "there is no such request to cancel: it has ended or never began", field: "request"),
                about: request)
        }
        cancelActive(dialog: nil)
    }

    /// Cancels the active request. A running handler gets time to clean up, and may still report that it has succeeded.
    mutating func cancelActive(dialog: String?, _ reason: CancellationReason = .person) {
        if session.active?.stage.isCancelling == true { return ignore(.duplicateCancel) }
        guard let phase = session.active?.stage.phase else { return end(.cancelled, "cancelled", dialog: dialog) }
        let isDispatched = session.active?.stage.retryAt == nil
        // A handler that needs a permit and has none was not called, and will not be.
        let isAtIt = phase == .handle && isDispatched && session.active?.needsPermit == false
        if isAtIt {
            session.active?.stage.call?.cancelReason = reason
            session.active?.stage.working?.announceAt = nil
            let timeout = session.active?.traits.policy?.cleanupTimeout ?? policy.cancelTimeout
            session.active?.stageEnds = now.advanced(by: timeout)
        }
        if isDispatched { cancelWork(phase, reason) }
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
            guard others + request.size <= policy.limits.maximumQueuedBytes else {
                return tooLarge(policy.limits.maximumQueuedBytes, id)
            }
            session.queued[index] = request
        } else if let index = session.suspended.firstIndex(where: { $0.request.id == id }) {
            var request = session.suspended[index]
            if request.isBeingHandled { return tooLateToCorrect(correction, id) }
            if request.prompt?.isAboutIntents == true { return intentNotKnown(id) }
            request.merge([ParameterState(name: correction.parameter, value: correction.value)])
            guard request.parameters.reduce(0, { $0 + $1.size }) <= policy.limits.maximumParameterBytes else {
                return tooLarge(policy.limits.maximumParameterBytes, id)
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
