import IntentModel

// A handler reports how things go on, next to whatever else the session does.
//
// A request that has succeeded is kept for a while if its handler can report more. Starting the updates dispatches work, and the handler reports until one
// side ends it. The worker counts its record as done at once, since this may take hours. If the worker dies, the silence is noticed here and the work is
// dispatched again with the next step.
extension Transition {
    mutating func updatesStarted(_ request: Identifier) {
        guard session.ending == nil, let index = session.updates.firstIndex(where: { $0.request.id == request }) else {
            return reject(
                Rejection(
                    .unexpected,
                    "'\(request)' has no updates: it has not succeeded, was long ago, or its handler tells nothing more",
                    field: "request"), about: request)
        }
        if session.updates[index].isOpen { return ignore(.repeatedStart) }
        session.updates[index].isOpen = true
        session.updates[index].isStopped = false
        session.updates[index].restarts = 0
        session.updates[index].phase = nil
        session.updates[index].told = nil
        session.updates[index].ends = now.advanced(by: policy.updatesTimeout)
        dispatchUpdates(index)
    }

    /// Stopping what is not running is harmless.
    mutating func updatesStopped(_ request: Identifier) {
        guard let index = session.updates.firstIndex(where: { $0.request.id == request && $0.isOpen }) else {
            return ignore(.noUpdates)
        }
        stopUpdates(index, .stopped)
    }

    /// - Returns: `notMine` if the outcome is about something else.
    mutating func update(by outcome: Outcome) -> Handled {
        guard outcome.phase == .handle, let index = session.updates.open(outcome.request, outcome.step) else {
            return .notMine
        }
        switch outcome.content {
        case .updated(let update):
            if session.updates[index].isForeign(update) {
                ignore(.foreignUpdate)
            } else if let violation = update.violation {
                stopUpdates(index, .invalid, Rejection(.invalid, violation))
            } else {
                tellUpdate(update, index)
            }
        case .updatesEnded(let end): stopUpdates(index, end)
        case .finished(.failed(let failure)): updatesFailed(index, failure)
        case .finished(.asked):
            let message =
                "the handler asked the person something while it told how things go on: it can ask in 'confirm' and 'handle' only"
            stopUpdates(index, .invalid, Rejection(.unexpected, message))
        case .finished(.responded(let response, _)) where response.code != .success:
            stopUpdates(
                index, .invalid,
                Rejection(.unexpected, "the handler ended with '\(response.code)' while it told how things go on"))
        case .finished(.responded): stopUpdates(index, .completed)
        case .finished(.resolved), .cancelled, .progressed, .starting: ignore(.staleOutcome)
        }
        return .handled
    }

    private mutating func updatesFailed(_ index: Int, _ failure: IntentFailure) {
        guard case .retry(let delay) = failure.disposition, delay >= .zero,
            session.updates[index].restarts < policy.limits.maximumAttempts
        else {
            return stopUpdates(index, .invalid, Rejection(failure.reason, failure.message, field: failure.field))
        }
        // The worker has released it: it goes on elsewhere at once.
        if delay == .zero { return restartUpdates(index) }
        session.updates[index].silentAt = now.advanced(by: min(delay, policy.updatesSilence))
    }

    private mutating func tellUpdate(_ update: IntentUpdate, _ index: Int) {
        let isChange = session.updates[index].phase != update.phase
        if !isChange, let told = session.updates[index].told, told.advanced(by: policy.updatesInterval) > now {
            return ignore(.earlyUpdate)
        }
        session.updates[index].phase = update.phase
        session.updates[index].told = now
        session.updates[index].restarts = 0
        session.updates[index].silentAt = now.advanced(by: policy.updatesSilence)
        let request = session.updates[index].request
        tell(.updated(intent: request.intent, update), about: request.id, trace: request.trace)
        if update.phase == IntentUpdate.completed { stopUpdates(index, .completed) }
    }

    /// Ends or restarts updates that are due.
    ///
    /// - Returns: `notMine` if none is.
    mutating func advanceUpdates() -> Handled {
        guard let index = session.updates.firstIndex(where: { $0.isOpen && $0.timer <= now }) else {
            return .notMine
        }
        if session.updates[index].ends <= now {  // rule: updatesTimeOut
            stopUpdates(index, .expired)
        } else {
            restartUpdates(index)
        }
        return .handled
    }

    private mutating func restartUpdates(_ index: Int) {
        guard session.updates[index].restarts < policy.limits.maximumAttempts else {
            return stopUpdates(index, .silent)
        }
        effects.append(.work(.cancel(session.updatesCancel(session.updates[index]))))
        session.updates[index].restarts += 1
        dispatchUpdates(index)
    }

    private mutating func dispatchUpdates(_ index: Int) {
        session.updates[index].step += 1
        session.updates[index].ticket = Ticket(using: &randomness)
        session.updates[index].silentAt = now.advanced(by: policy.updatesSilence)
        effects.append(.work(.update(session.updateItem(session.updates[index]))))
    }

    mutating func stopUpdates(_ index: Int, _ end: UpdatesEnd, _ error: Rejection? = nil) {
        let updates = session.updates[index]
        effects.append(.work(.cancel(session.updatesCancel(updates))))
        session.updates[index].isOpen = false
        session.updates[index].isStopped = true
        tell(
            .updatesEnded(intent: updates.request.intent, end, error: error), about: updates.request.id,
            trace: updates.request.trace)
    }
}

extension LiveUpdates {
    /// When they are looked at again.
    fileprivate var timer: Instant { min(silentAt, ends) }  // rule: silentUpdatesAreRestarted, updatesTimeOut

    /// Whether it is about something else: it gives a parameter of the request another value. Lists and objects may be told in other words.
    func isForeign(_ update: IntentUpdate) -> Bool {
        parameters.contains { parameter in
            guard let asked = parameter.value?.view, let told = update.values[parameter.name]?.view,
                asked.kind == told.kind
            else {
                return false
            }
            return switch asked.kind {
            case .string: asked.string != told.string
            case .number: asked.double != told.double
            default: false
            }
        }
    }
}

// The updates of a session.
extension [LiveUpdates] {
    /// Keeps a request that has succeeded, in place of the oldest one that is not open. If all are open, it is not kept.
    mutating func keep(_ active: ActiveRequest, at now: Instant, maximum: Int) {
        removeAll { $0.request.id == active.request.id }
        append(
            LiveUpdates(
                request: active.request, parameters: active.parameters, isInApp: active.isInApp, step: active.step,
                silentAt: now, ends: now))
        while count > maximum, let index = firstIndex(where: { !$0.isOpen }) { remove(at: index) }
        if count > maximum { removeLast() }
    }

    /// The index of the open updates of a step.
    func open(_ request: Identifier, _ step: Int) -> Int? {
        firstIndex { $0.isOpen && $0.step == step && $0.request.id == request }
    }

    /// The earliest time at which open updates are looked at again.
    var nextTimer: Instant? { isEmpty ? nil : lazy.filter(\.isOpen).map(\.timer).min() }
}
