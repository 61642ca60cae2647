public import IntentModel

// The work of a session, as it is dispatched and, after a crash, dispatched again.
extension Session {
    /// The work that is dispatched and has no outcome yet, under the default policy.
    public var outstandingWork: [Work] { outstandingWork(under: SessionPolicy()) }

    /// The work that is dispatched and has no outcome yet: what a new owner dispatches again.
    ///
    /// - Parameter policy: The coordinator's policy. Applies to what the intent's own policy leaves out.
    public func outstandingWork(under policy: SessionPolicy) -> [Work] {
        guard let phase = active?.stage.phase, active?.stage.retryAt == nil, let work = workItem(phase, policy) else {
            return outstandingUpdates
        }
        var open: [Work] = [
            active?.stage.permit == nil ? .item(work) : .permit(WorkPermit(work.address, claim: active?.stage.permit))
        ]
        if let reason = active?.stage.cancelReason, let cancel = active?.cancel(phase, reason) {
            open.append(.cancel(cancel))
        }
        return open + outstandingUpdates
    }

    /// The active request's work; `nil` if no request is active.
    func workItem(_ phase: Phase, _ policy: SessionPolicy) -> WorkItem? {
        guard let address = active?.address(phase), let ends = active?.stageEnds, let redone = active?.redone else {
            return nil
        }
        var item = WorkItem(
            address, attempt: active?.run.attempt ?? 1, parameters: active?.parameters ?? [],
            deadline: min(ends, active?.request.deadline ?? ends),
            idempotencyKey: Self.key(session: id, request: address.request, call: redone + 1),
            locale: active?.request.locale, attributes: active?.request.attributes ?? [:])
        item.ticket = active?.ticket
        item.principal = active?.request.principal
        if let clock = active?.request.clock { (item.timeZone, item.now) = (clock.timeZone, clock.now) }
        item.answers = active?.run.notes.answers ?? []
        if phase == .resolve, active?.asking.hasWordsToRead == true { item.said = active?.asking.inWords.said ?? [] }
        item.recorded = active?.run.notes.recorded ?? [:]
        item.memory = memory(with: active?.request.remembered ?? [])
        if phase == .handle {
            let own = active?.traits.policy
            if own?.effect == .atMostOnce { item.effect = .atMostOnce }
            item.inProgressTimeout = own?.inProgressTimeout ?? policy.inProgressTimeout
            item.requestDeadline = active?.request.deadline
        }
        return item
    }

    /// Identifies a request across sessions: both ids with a slash between them. A slash in the session's id is escaped, so no two requests
    /// anywhere share a key.
    ///
    /// - Parameter call: which of the request's calls, from 1, if it was handled again with other values. It goes before the slash, after a percent
    ///   sign that escapes nothing: a request's id may be any text, so nothing after the slash could be told from an id.
    public static func key(session id: Identifier, request: Identifier, call: Int = 1) -> Identifier {
        if call > 1 {
            let key = key(session: id, request: request).text
            let slash = key.utf8.firstIndex(of: UInt8(ascii: "/")) ?? key.endIndex
            return "\(key[..<slash])%call\(call)\(key[slash...])"
        }
        if isPlainInKeys(id) {
            var key = id.text
            key.reserveCapacity(id.utf8.count + request.utf8.count + 1)
            key += "/"
            key += request.text
            return Identifier(key)
        }
        let escaped = id.text.unicodeScalars.map { $0 == "/" ? "%2F" : $0 == "%" ? "%25" : String($0) }
        return "\(escaped.joined())/\(request)"
    }

    /// Whether a session's id is in keys as it is.
    package static func isPlainInKeys(_ id: Identifier) -> Bool {
        !id.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "%") }
    }
}

// Updates after a request has succeeded.
extension Session {
    /// Updates that a worker should be sending, and those that it should have stopped. A stop is sent again after a
    /// takeover, because the first one may not have been sent, and a second one is harmless.
    private var outstandingUpdates: [Work] {
        updates.compactMap { updates in
            updates.isOpen ? .update(updateItem(updates)) : updates.isStopped ? .cancel(updatesCancel(updates)) : nil
        }
    }

    func updateItem(_ updates: LiveUpdates) -> WorkItem {
        var item = WorkItem(
            updates.address, parameters: updates.parameters,
            idempotencyKey: Self.key(session: id, request: updates.request.id),
            locale: updates.request.locale, attributes: updates.request.attributes)
        item.ticket = updates.ticket
        item.principal = updates.request.principal
        item.memory = memory(with: updates.request.remembered)
        return item
    }

    func updatesCancel(_ updates: LiveUpdates) -> WorkCancel { WorkCancel(updates.address, reason: .ended) }
}

extension ActiveRequest {
    func address(_ phase: Phase) -> WorkAddress {
        let isInApp = request.route?.isInApp == true || (run.isInApp && phase == .handle)
        return WorkAddress(
            request: request.id, step: step, intent: request.intent, phase: phase, isInApp: isInApp,
            service: request.route?.service(inApp: isInApp), trace: request.trace)
    }

    /// - Parameter reason: told to the handler, with the time that it has to clean up if its outcome is still waited for.
    func cancel(_ phase: Phase, _ reason: CancellationReason) -> WorkCancel {
        WorkCancel(address(phase), reason: reason, deadline: isCancelling ? stageEnds : nil)
    }
}

extension LiveUpdates {
    fileprivate var address: WorkAddress {
        WorkAddress(
            request: request.id, step: step, intent: request.intent, phase: .handle, isInApp: isInApp,
            service: request.route?.service(inApp: isInApp), trace: request.trace)
    }
}

// Who may answer for work.
extension Session {
    /// Whether an outcome comes from who got the work of its step, as far as the session knows. What no step waits for has no effect in any case.
    public func authorizes(_ outcome: Outcome) -> Bool {
        guard let (phase, ticket) = issued(outcome.request, outcome.step) else { return true }
        return phase == outcome.phase && (ticket == nil || ticket == outcome.ticket)
    }

    /// Whether an outcome has the ticket of work that the session waits for.
    package func hasIssued(_ outcome: Outcome) -> Bool {
        guard let (phase, ticket) = issued(outcome.request, outcome.step), let ticket else { return false }
        return phase == outcome.phase && ticket == outcome.ticket
    }

    /// The phase and the ticket of work whose outcome can have an effect.
    private func issued(_ request: Identifier, _ step: Int) -> (Phase, Ticket?)? {
        if let phase = active?.stage.phase, active?.step == step, active?.stage.retryAt == nil,
            active?.request.id == request
        {
            return (phase, active?.ticket)
        }
        if let index = updates.open(request, step) { return (.handle, updates[index].ticket) }
        return abandoned.first { $0.request == request && $0.step == step }.map { (.handle, $0.ticket) }
    }
}
