import IntentModel

// Requests end, time passes, and the next one begins.
extension Transition {
    /// Ends the active request with its one completion, and goes on with the next.
    mutating func end(
        _ status: Completion.Status, _ code: ResponseCode, response: IntentResponse? = nil, dialog: String? = nil,
        error: Rejection? = nil,
        chosen: String? = nil
    ) {
        guard let active = session.active.take() else { return }
        var next: (request: IntentRequest?, rejection: Rejection?)?
        if let result = active.finalResult {  // rule: handledRequestsHaveSucceeded
            // It has been handled. Silence, a cancel or another request can't undo that.
            if result.offersUpdates { session.updates.keep(active, at: now, maximum: policy.limits.maximumUpdates) }
            if status != .cancelled, !result.code.isFailure {
                next = result.opensIntent.map { opening($0, after: active) }
            }
            complete(active, status, result.code, opens: next?.request, chosen: chosen)
        } else {
            if case .handedOff(let id) = active.stage { session.handoffs.removeAll { $0.id == id } }
            // A cancelled request opens nothing, even if it was done.
            if status == .success, !active.isCancelling {
                next = response?.opensIntent.map { opening($0, after: active) }
            }
            complete(active, status, code, response: response, dialog: dialog, error: error, opens: next?.request)
        }
        if let rejection = next?.rejection {
            tell(.rejected(rejection), about: active.request.id, trace: active.request.trace)
        }
        beginNext(opening: next?.request)
    }

    /// Begins the request that the ended one has opened, or the one that replaces it; or resumes the interrupted one, or begins the next one in the queue.
    private mutating func beginNext(opening opened: IntentRequest?) {
        if let opened {
            accept(opened.id)
            begin(opened)
        } else if session.queued.first?.whenBusy == .replace {
            begin(session.queued.removeFirst())
        } else if let suspended = session.suspended.popLast() {
            session.active = suspended
            if let deadline = suspended.request.deadline, deadline <= now { return deadlinePassed() }
            // One that was corrected meanwhile has no open prompt: it is resolved again.
            if let prompt = suspended.prompt { issue(prompt) } else { dispatch(.resolve) }
        } else if !session.queued.isEmpty {  // rule: queuedRequestsFollow
            begin(session.queued.removeFirst())
        }
    }

    /// The dialog of a completion that has none of a handler's.
    private static func words(for status: Completion.Status, _ request: ActiveRequest) -> LocalizedText? {
        switch status {
        case .timedOut: request.prompt == nil ? BuiltInText.tookTooLong : BuiltInText.timedOut
        case .cancelled: BuiltInText.isCancelled
        case .success, .failure, .unsupported, .deferredToApp: nil
        }
    }

    mutating func complete(
        _ request: ActiveRequest, _ status: Completion.Status, _ code: ResponseCode, response: IntentResponse? = nil,
        dialog: String? = nil,
        error: Rejection? = nil, opens: IntentRequest? = nil, chosen: String? = nil
    ) {
        if let result = request.finalResult {  // rule: handledRequestsHaveSucceeded
            var done = request
            done.result = nil
            return complete(
                done, result.code.isFailure ? .failure : .success, result.code, response: result, opens: opens,
                chosen: chosen)
        }
        var completion = Completion(
            intent: request.request.intent, status: status, code: code,
            parameters: request.completedParameters,
            response: response?.values ?? [:],
            dialog: dialog ?? response?.dialog
                ?? Self.words(for: status, request).map { $0.text(in: request.request.locale) },
            activity: response.flatMap {
                $0.userActivity
                    ?? ($0.code.requiresAppLaunch ? request.confirmed.activity ?? request.defaultActivity : nil)
            },
            error: error ?? (status == .cancelled ? session.ending?.rejection : nil), turns: request.asking.turns)
        completion.items = response?.items ?? []
        if status == .success, completion.items.isEmpty { completion.items = request.confirmed.items }
        completion.chosen = chosen
        if request.confirmed.$agreement.hasValue { completion.agreement = request.confirmed.agreement }
        if let response, response.hasRareParts {
            (completion.supportingDialog, completion.snippet, completion.results) = (
                response.supportingDialog, response.snippet, response.results
            )
            if status == .success, let offer = response.undo, session.ending == nil {
                completion.undo = session.undoable.keep(offer, of: request.request, at: now, policy)
            }
        }
        session.undoable.end(request.request.id, status)
        completion.opens = opens.map { OpenedRequest(request: $0.id, intent: $0.intent) }
        let isKept = session.updates.contains { $0.request.id == request.request.id }
        completion.offersUpdates = status == .success && response?.offersUpdates == true && isKept
        session.onceRequests.extend(request.request.id, at: now, policy)
        tell(.completed(completion), about: request.request.id, trace: request.request.trace)
    }

    mutating func timePassed() {
        if session.ending != nil, session.isIdle { return forgetSession() }
        let open = session.handoffs.filter { $0.expires > now || session.active?.stage.handoff == $0.id }
        if open.count < session.handoffs.count {
            session.handoffs = open
            return
        }
        if endWaiting() == .handled || advanceUpdates() == .handled { return }
        if session.isIdle {
            guard session.updates.nextTimer == nil, session.updated.advanced(by: policy.idleTimeout) <= now else {
                return ignore(.earlyTimer)
            }
            return forgetSession()
        }
        if let deadline = session.active?.request.deadline, deadline <= now {
            if session.active?.stage.isCancelling == true { return stageTimedOut() }
            stop(.deadline)
            return deadlinePassed()
        }
        if let ends = session.active?.stageEnds, ends <= now { return stageTimedOut() }  // rule: stagesTimeOut
        if let announceAt = session.active?.stage.announceAt, announceAt <= now { return announce() }
        if let retryAt = session.active?.stage.retryAt, retryAt <= now, let phase = session.active?.stage.phase {
            return dispatch(phase, .retry)
        }
        ignore(.earlyTimer)
    }

    private mutating func forgetSession() {
        if giveUpConfirming() == .notMine { isForgotten = true }
    }

    private mutating func deadlinePassed() {
        if session.active?.stage.permit != nil { return endUnknown() }  // rule: permittedWorkIsUnknown
        end(
            .timedOut, "requestTimedOut",
            error: Rejection(.unexpected, "the request's deadline passed \(whereItWas)"))
    }

    private mutating func stageTimedOut() {
        let isPermitted = session.active?.stage.permit != nil
        if session.active?.stage.isCancelling == true {
            noteAbandoned()
            if isPermitted { endUnknown() } else { end(.cancelled, "cancelled") }
        } else if session.active?.stage.phase != nil {
            stop(.timeout)
            if isPermitted { return endUnknown() }  // rule: permittedWorkIsUnknown
            end(.timedOut, "requestTimedOut", error: Rejection(.busy, "no answer in time \(whereItWas)"))
        } else if let id = session.active?.stage.handoff,
            session.handoffs.first(where: { $0.id == id })?.claimant != nil
        {
            end(.deferredToApp, .continueInApp)
        } else {
            if let prompt = session.active?.stage.prompt {
                if let waiting = prompt.waiting, now < waiting.ends { return remind(of: prompt, waiting) }
                if escalateSilence(of: prompt) == .handled { return }
            }
            end(.timedOut, "requestTimedOut", error: Rejection(.unexpected, "no answer in time \(whereItWas)"))
        }
    }

    private var whereItWas: String { session.active?.stage.whereItWas ?? "" }
}

extension ActiveRequest.Stage {
    var whereItWas: String {
        switch self {
        case .resolving: "while it was being resolved"
        case .awaitingAnswer(let prompt): "to the prompt for '\(prompt.parameter ?? prompt.question?.id ?? "")'"
        case .confirming: "while it was being confirmed"
        case .awaitingConfirmation: "to the confirmation"
        case .handling, .inProgress: "while it was being handled"
        case .handedOff: "from the app it was handed to"
        }
    }
}

// One intent opens another.
extension Transition {
    /// The request that a response opens, or why it opens none.
    ///
    /// Its id is made of that of the request before it, so it is the same however often it is decided.
    func opening(_ opened: OpenedIntent, after active: ActiveRequest) -> (
        request: IntentRequest?, rejection: Rejection?
    ) {
        func refused(_ reason: RejectionReason, _ why: String) -> (IntentRequest?, Rejection?) {
            (nil, Rejection(reason, "'\(opened.intent.text.prefix(128))' was not opened: \(why)", field: "opens"))
        }
        guard active.request.depth < policy.limits.maximumOpened else {
            return refused(.complex, "\(policy.limits.maximumOpened) intents have opened one another, and no more may")
        }
        guard 1...128 ~= opened.intent.utf8.count else {
            return refused(.invalid, "an intent's name has 1 to 128 bytes")
        }
        var id: Identifier = "\(active.request.id).opens"
        var number = 1
        while session.knows(id) {  // rule: openedRequestsAreNew
            number += 1
            id = "\(active.request.id).opens-\(number)"
        }
        var request = IntentRequest(
            id: id, intent: opened.intent,
            parameters: opened.parameters.sorted { $0.key < $1.key }.map {
                ParameterState(name: $0.key, value: $0.value)
            },
            locale: active.request.locale, attributes: active.request.attributes, trace: active.request.trace,
            principal: active.request.principal)
        request.depth = active.request.depth + 1
        request.clock = active.request.clock
        request.isUnagreed = active.request.isUnagreed
        request.route = active.openedRoute
        request.remembered = active.openedMemory
        (request.memorySince, request.isForgotten) = (active.request.memorySince, active.request.isForgotten)
        let size = request.parameters.reduce(0) { $0 + $1.size }
        guard size <= policy.limits.maximumParameterBytes else {
            return refused(
                .complex, "its parameters have \(size) bytes; there is room for \(policy.limits.maximumParameterBytes)")
        }
        return (request, nil)
    }
}

// The whole session is ended from outside.
//
// Waiting requests are completed at once. A running handler gets its time to clean up, and its outcome still counts: what has happened must not be
// reported as cancelled. After the last completion only the timer is left. It fires when everything is acknowledged, so the session is forgotten only when
// the person's side has everything.
extension Transition {
    mutating func endSession(_ reason: String?) {
        if session.ending != nil { return ignore(.repeatedEnd) }
        // A session that does not exist would be opened only to be ended.
        if session.isBlank { return ignore(.nothingToEnd) }
        session.ending = SessionEnding(reason: reason.map { String($0.prefix(SessionEnding.maximumReasonLength)) })
        for request in session.queued { completeWaiting(request, .cancelled, "cancelled") }
        session.queued = []
        // The last one would have resumed first.
        for suspended in session.suspended.reversed() { complete(suspended, .cancelled, "cancelled") }
        session.suspended = []
        for index in session.updates.indices where session.updates[index].isOpen { stopUpdates(index, .stopped) }
        session.updates.removeAll { !$0.isStopped }
        session.undoable = []
        // The active request's own handoff goes with it.
        session.handoffs.removeAll { session.active?.stage.handoff != $0.id }
        session.memory = SessionMemory()
        // A request that is being cancelled ends by itself.
        if session.active?.stage.isCancelling == false { cancelActive(dialog: nil, .sessionEnded) }
    }
}
