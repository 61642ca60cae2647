import Conversation
import IntentEvents
import IntentModel

/// The calls of handlers and their effects.
struct HandlerBook: Sendable {
    /// How often each phase of each request was called.
    var calls: [String: Int] = [:]
    /// Parameters that a resolver accepted, and that a confirmer found ready, by request.
    var resolved: [String: Set<String>] = [:]
    var ready: [String: Set<String>] = [:]
    /// The keys under which each request took effect.
    var effects: [String: [String]] = [:]
    /// All keys under which something took effect, as a service that honours keys remembers them.
    var keys: Set<String> = []
    /// How often the handler of each request asked for another call.
    var granted: [String: Int] = [:]
    /// What each phase of each request recorded before its prompt, and must not do again.
    var quotes: [String: [JSON]] = [:]
}

extension IntentInvocation {
    /// Session and request, the key of the books.
    var key: String { "\(context.session)/\(context.request)" }

    /// The parameters that have a value, sorted.
    var values: String {
        parameters.filter { $0.value != nil }.map { "\($0.name)=\($0.value ?? .null)" }.sorted().joined(separator: " ")
    }

    func value(_ name: String) -> JSON? { parameters.first { $0.name == name }?.value }
}

extension SimulationBooks.Ledger {
    /// Records and checks a call of a handler.
    ///
    /// - Returns: How often this phase of this request was called before.
    mutating func begin(_ invocation: IntentInvocation, topics: Topics, limits: SimulatedLimits) -> Int {
        let key = invocation.key
        let before = handlers.calls["\(key) \(invocation.phase)", default: 0]
        handlers.calls["\(key) \(invocation.phase)"] = before + 1
        report.calls += 1
        if let party = invocation.context.memory["party"], !SimulatedHandlers.party.contains(party) {
            violated(.unsupportedValue, "\(key): the session remembers \(party)")
        }
        transcript?.append("         \(invocation.phase) is called for \(key): \(invocation.values)")
        guard invocation.phase != .resolve else { return before }
        if invocation.value("dropOff").map({ SimulatedHandlers.places.contains($0) }) != true {
            violated(.unsupportedValue, "\(key): \(invocation.phase) got \(invocation.values)")
        }
        if handlers.resolved[key]?.contains(invocation.values) != true {
            violated(.unconfirmedHandle, "\(key): \(invocation.phase) got \(invocation.values), which was not resolved")
        }
        guard invocation.phase == .handle else { return before }
        if handlers.ready[key]?.contains(invocation.values) != true {
            violated(.unconfirmedHandle, "\(key): handle got \(invocation.values), which was not confirmed")
        }
        if SimulatedHandlers.asks(key, limits.seed), requests[key]?.isAgreed != true {
            violated(.unconfirmedHandle, "\(key): handled before the person had agreed")
        }
        let topic = invocation.context.isInApp ? topics.handleInApp : topics.handle
        if let request = requests[key], request.completions.contains(.cancelled), request.isCancelled(in: topic) {
            violated(.handledAfterCancel, "\(key): handled after the person was told that it is cancelled")
        }
        if before > handlers.granted[key, default: 0] + forgotten(invocation), limits.atMostOnce.contains(invocation.intent) {
            violated(.calledTwice, "\(key): '\(invocation.intent)' may be called only once, and was called again")
        }
        return before
    }

    /// Records and checks a call of a handler for updates.
    ///
    /// - Returns: How often it was called for updates before.
    mutating func beginUpdates(_ invocation: IntentInvocation) -> Int {
        let key = invocation.key
        let before = handlers.calls["\(key) updates", default: 0]
        handlers.calls["\(key) updates"] = before + 1
        report.updateCalls += 1
        transcript?.append("         updates are called for \(key)")
        if handlers.effects[key] == nil { violated(.updateAfterEnd, "\(key) has updates, but no effect") }
        return before
    }

    /// Records and checks the effect of a handler. A repeat under a known key has no effect.
    mutating func effect(_ invocation: IntentInvocation, _ limits: SimulatedLimits) {
        let isNew = handlers.keys.insert(invocation.context.idempotencyKey).inserted
        guard isNew || !limits.honoursKeys || limits.atMostOnce.contains(invocation.intent) else { return }
        let key = invocation.key
        handlers.effects[key, default: []].append(invocation.context.idempotencyKey)
        report.effects += 1
        if let effects = handlers.effects[key], effects.count > 1 + forgotten(invocation) {
            violated(.effectTwice, "\(key) took effect under \(effects)")
        }
    }

    /// How often the session was forgotten. It then no longer knows its requests, so each time allows one more call.
    private func forgotten(_ invocation: IntentInvocation) -> Int { sessions[invocation.context.session]?.forgotten ?? 0 }

    // MARK: Prompts from code

    /// What the code in a phase records before its prompt. Each new recording has a different value.
    mutating func quote(_ invocation: IntentInvocation) -> JSON {
        if let quote = invocation.context.recorded["quote"] { return quote }
        let key = "\(invocation.key) \(invocation.phase)"
        let quote = JSON.number(Double(handlers.quotes[key, default: []].count + 1))
        handlers.quotes[key, default: []].append(quote)
        report.questions += 1
        return quote
    }

    /// The answer to the prompt of this phase. Checks that it comes with what was recorded before the prompt.
    mutating func answer(_ invocation: IntentInvocation) -> PhaseAnswer? {
        guard let answer = invocation.context.answers.last(where: { $0.question == "sure" }) else { return nil }
        let quotes = handlers.quotes["\(invocation.key) \(invocation.phase)"] ?? []
        if invocation.context.recorded["quote"].map({ quotes.contains($0) }) != true {
            violated(.forgottenRecord, "\(invocation.key): \(invocation.phase) was answered, but what it had recorded is lost")
        }
        return answer
    }
}
