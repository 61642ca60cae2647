import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

/// The calls of handlers and their effects.
struct HandlerBook: Sendable {
    /// The number of calls by request and phase.
    var calls: [String: Int] = [:]
    /// Parameters that a resolver accepted, by request.
    var resolved: [String: Set<String>] = [:]
    /// Parameters that a confirmer found ready, by request.
    var ready: [String: Set<String>] = [:]
    /// Parameters that a confirmer or handler proposed, by request. A proposal may be used once the person has agreed.
    var proposed: [String: Set<String>] = [:]
    /// Calls that services answered with `inProgress` and whose outcomes aren't reported yet, by request.
    var deferred: [String: [IntentInvocation]] = [:]
    /// The idempotency keys under which each request took effect.
    var effects: [String: [String]] = [:]
    /// All idempotency keys under which something took effect, as a service that honours keys remembers them.
    var keys: Set<String> = []
    /// The number of further calls that the handler of each request asked for.
    var granted: [String: Int] = [:]
    /// The runs of processes with a call that never returns.
    var hanging: Set<String> = []
    /// The values that each phase of each request recorded before its prompt, and must not produce again.
    var quotes: [String: [JSON]] = [:]
}

extension IntentInvocation {
    /// The session and the request, as a key of the books.
    var key: String { "\(context.session)/\(context.request)" }

    /// The parameters that have a value, sorted, without the note. The note is not resolved.
    var values: String { text(without: ["note"]) }

    /// The values that may be shown to the person.
    var publicValues: String { text(without: ["note", "pin"]) }

    private func text(without names: [String]) -> String {
        parameters.filter { $0.value != nil && !names.contains($0.name) }.map { "\($0.name)=\($0.value ?? .null)" }
            .sorted()
            .joined(separator: " ")
    }

    /// Returns the call with other values.
    func changed(_ values: [String: JSON]) -> IntentInvocation {
        var copy = self
        copy.parameters.removeAll { values[$0.name] != nil }
        copy.parameters += values.map { ParameterState(name: $0.key, value: $0.value) }
        return copy
    }

    func value(_ name: String) -> JSON? { parameters.first { $0.name == name }?.value }
}

extension SimulationBooks.Ledger {
    /// Records and checks a call of a handler.
    ///
    /// - Returns: The number of earlier calls of this phase of this request.
    mutating func begin(_ invocation: IntentInvocation, limits: SimulatedLimits) -> Int {
        let key = invocation.key
        let before = handlers.calls["\(key) \(invocation.phase)", default: 0]
        handlers.calls["\(key) \(invocation.phase)"] = before + 1
        report[.calls] += 1
        transcript?.append("         \(invocation.phase) is called for \(key): \(invocation.values)")
        checkContext(invocation)
        if invocation.context.attempt > limits.maximumAttempts, !limits.atMostOnce.contains(invocation.intent) {
            violated(
                .triedTooOften, "\(key): \(invocation.phase) is tried for the \(invocation.context.attempt)th time")
        }
        guard invocation.phase != .resolve else { return before }
        checkValues(invocation, limits)
        guard invocation.phase == .handle else { return before }
        if before > handlers.granted[key, default: 0] + deleted(invocation),
            limits.atMostOnce.contains(invocation.intent)
        {
            violated(.calledTwice, "\(key): '\(invocation.intent)' may be called only once, and was called again")
        }
        return before
    }

    /// Extends the validity of the person's confirmation to the longest duration that a confirmer has set. `nil`
    /// removes the limit.
    mutating func extendConfirmation(_ key: String, to duration: Duration?) {
        guard let known = requests[key, default: RequestBook()].agreement.validFor else { return }
        requests[key]?.agreement.validFor = duration.map { max(known, $0) }
    }

    /// Restores expired agreements, because a clock went back.
    mutating func restoreExpiredAgreements() {
        for (key, request) in requests where !request.agreement.expired.isEmpty {
            requests[key]?.agreement.agreed.formUnion(request.agreement.expired)
        }
    }

    /// Checks that a handler is called before the deadline of its work, and not after the person was told of a cancel
    /// that the worker had read.
    mutating func checkBeginning(
        of invocation: IntentInvocation, _ now: Instant, topics: Topics, reading next: (TopicPartition) -> Int64
    ) {
        guard !invocation.isUpdating else { return }
        let key = invocation.key
        // Each reading advances the clock of a process that ends.
        if let deadline = invocation.context.deadline, deadline + 2_000 < now.milliseconds {
            violated(.calledLate, "\(key): \(invocation.phase) was called at \(now), after its deadline \(deadline)")
        }
        guard invocation.phase == .handle, let partition = DeferredOutcomeAddress(invocation.context.replyTo)?.partition
        else { return }
        let topic = invocation.context.isInApp ? topics.handleInApp : topics.handle
        if let request = requests[key], request.completions.contains(.cancelled), request.isCancelled(in: topic),
            request.newestWork.cancels[topic] ?? 0 < next(TopicPartition(topic, partition))
        {
            violated(.handledAfterCancel, "\(key): handled after the person was told that it is cancelled")
        }
    }

    /// Checks the context of a call.
    private mutating func checkContext(_ invocation: IntentInvocation) {
        let key = invocation.key
        let memory = invocation.context.memory
        if let party = memory["party"], !SimulatedHandlers.party.contains(party) {
            violated(.unsupportedValue, "\(key): the session remembers \(party)")
        }
        if memory.values.contains(where: { $0.description.contains(SimulatedHandlers.secretMark) }) {
            violated(.secretDisclosed, "\(key): the session remembers a secret")
        }
        // An opened request has the context of the request that opened it. The id of the opened request begins with the
        // id of the opening request.
        var root = key
        // A rejected request is never called. A request that was opened later may have the id of a rejected request.
        func isAsked(_ key: String) -> Bool {
            requests[key].map { $0.copies > $0.rejections && !$0.isRefused } ?? false
        }
        while !isAsked(root), let dot = root.lastIndex(of: ".") { root = String(root[..<dot]) }
        // If a person has also sent a request with this id, the call may be for either request.
        let isEither = requests[root]?.opened ?? 0 > 0
        if let asked = requests[root], isAsked(root), !isEither,
            asked.locale != invocation.context.locale || asked.attributes != invocation.context.attributes
                || asked.principal != invocation.context.principal
        {
            violated(
                .contextLost,
                "\(key): \(invocation.phase) got another locale, principal or other attributes than were sent")
        }
    }

    /// Checks that a later phase gets only resolved, confirmed and agreed values.
    private mutating func checkValues(_ invocation: IntentInvocation, _ limits: SimulatedLimits) {
        let key = invocation.key
        let values = invocation.values
        let words = [invocation.value("dropOff")] + (invocation.value("stops")?.view.elements.map(\.json) ?? [])
        if !words.allSatisfy({ $0.map { SimulatedHandlers.places.contains($0) } ?? false }) {
            violated(.unsupportedValue, "\(key): \(invocation.phase) got \(values)")
        }
        let isAgreed = requests[key]?.agreement.agreed.contains(invocation.publicValues) == true
        let isProposed =
            requests[key]?.agreement.accepted.contains(invocation.publicValues) == true
            && handlers.proposed[key]?.contains(values) == true
        if handlers.resolved[key]?.contains(values) != true, !isProposed {
            violated(.unconfirmedHandle, "\(key): \(invocation.phase) got \(values), which was not resolved")
        }
        guard invocation.phase == .handle else { return }
        if handlers.ready[key]?.contains(values) != true, !isProposed {
            violated(.unconfirmedHandle, "\(key): handle got \(values), which was not confirmed")
        }
        let asking = SimulatedHandlers.asking(key, limits.seed)
        // Values other than the resolved ones were proposed, or came as the answer to a question.
        let hasOtherValues = handlers.proposed[key] != nil || invocation.value("note") != nil
        let isAskedWithoutWords =
            asking == [.resolve] && hasOtherValues && requests[key]?.agreement.isWithoutWords == true
        if !asking.isEmpty, !isAgreed, !isAskedWithoutWords {
            violated(.unconfirmedHandle, "\(key): handled with \(values) before the person had agreed to that")
        }
        if let note = invocation.value("note"), note != .string("noted") {
            violated(
                .unconfirmedHandle,
                "\(key): handle got the person's words for a note, and not what confirm had understood")
        }
    }

    /// Records and checks a call of a handler for updates.
    ///
    /// - Returns: The number of earlier calls for updates.
    mutating func beginUpdates(_ invocation: IntentInvocation) -> Int {
        let key = invocation.key
        let before = handlers.calls["\(key) updates", default: 0]
        handlers.calls["\(key) updates"] = before + 1
        transcript?.append("         updates are called for \(key)")
        if handlers.effects[key] == nil { violated(.updateAfterEnd, "\(key) has updates, but no effect") }
        return before
    }

    /// Records and checks the effect of a handler. A repeat under a known key has no effect if services honour keys and
    /// the intent is not once-only.
    mutating func effect(_ invocation: IntentInvocation, _ limits: SimulatedLimits) {
        let isNew = handlers.keys.insert(invocation.context.idempotencyKey.text).inserted
        guard isNew || !limits.honoursKeys || limits.atMostOnce.contains(invocation.intent) else { return }
        let key = invocation.key
        handlers.effects[key, default: []].append(invocation.context.idempotencyKey.text)
        report[.effects] += 1
        if let effects = handlers.effects[key], effects.count > 1 + deleted(invocation) {
            violated(.effectTwice, "\(key) took effect under \(effects)")
        }
    }

    /// Returns the number of times that the journal has deleted the session. A deleted session no longer knows its
    /// requests, so each deletion allows one more call.
    private func deleted(_ invocation: IntentInvocation) -> Int {
        sessions[invocation.context.session.text]?.tombstones ?? 0
    }

    // MARK: Prompts from code

    /// Returns the value that the code in a phase records before its prompt. Each new recording has a different value.
    mutating func quote(_ invocation: IntentInvocation) -> JSON {
        if let quote = invocation.context.recorded["quote"] { return quote }
        let key = "\(invocation.key) \(invocation.phase)"
        let quote = JSON.number(Double(handlers.quotes[key, default: []].count + 1))
        handlers.quotes[key, default: []].append(quote)
        report[.questions] += 1
        return quote
    }

    /// Returns the answer to the prompt of this phase, and checks that the recorded value comes with the answer.
    mutating func answer(_ invocation: IntentInvocation) -> PhaseAnswer? {
        guard let answer = invocation.context.answers.last(where: { $0.question == "sure" }) else { return nil }
        let quotes = handlers.quotes["\(invocation.key) \(invocation.phase)"] ?? []
        if invocation.context.recorded["quote"].map({ quotes.contains($0) }) != true {
            violated(
                .forgottenRecord,
                "\(invocation.key): \(invocation.phase) was answered, but what it had recorded is lost")
        }
        return answer
    }
}
