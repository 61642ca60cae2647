import Conversation
import IntentEvents
import IntentModel

/// What handlers were called for, and what they did.
struct HandlerBook: Sendable {
    /// How often each phase of each request was called.
    var calls: [String: Int] = [:]
    /// Parameters that a resolver found nothing wrong with, and that a confirmer found ready, by request.
    var resolved: [String: Set<String>] = [:]
    var ready: [String: Set<String>] = [:]
    /// The keys under which each request took effect.
    var effects: [String: [String]] = [:]
    /// All keys under which something took effect: what a service that honours keys remembers.
    var keys: Set<String> = []
    /// How often the handler of each request wanted to be called again.
    var granted: [String: Int] = [:]
    /// What each phase of each request did before it asked, and may not do again.
    var quotes: [String: [JSON]] = [:]
}

extension IntentInvocation {
    /// Session and request, as the books go by.
    var key: String { "\(context.session)/\(context.request)" }

    /// The parameters that have a value, in an order of their own.
    var values: String {
        parameters.filter { $0.value != nil }.map { "\($0.name)=\($0.value ?? .null)" }.sorted().joined(separator: " ")
    }

    func value(_ name: String) -> JSON? { parameters.first { $0.name == name }?.value }
}

extension SimulationBooks.Ledger {
    /// A handler is called.
    ///
    /// - Returns: how often this phase of this request was called before.
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
            violated(.unconfirmedHandle, "\(key): \(invocation.phase) got \(invocation.values), which nobody had resolved")
        }
        guard invocation.phase == .handle else { return before }
        if handlers.ready[key]?.contains(invocation.values) != true {
            violated(.unconfirmedHandle, "\(key): handle got \(invocation.values), which nobody had confirmed")
        }
        if SimulatedHandlers.asks(key, limits.seed), requests[key]?.isAgreed != true {
            violated(.unconfirmedHandle, "\(key): handled before the person had said yes")
        }
        let topic = invocation.context.isInApp ? topics.handleInApp : topics.handle
        if let request = requests[key], request.completions.contains(.cancelled), request.isCalledOff(in: topic) {
            violated(.handledAfterCancel, "\(key): handled after the person was told that it is cancelled")
        }
        if before > handlers.granted[key, default: 0] + forgotten(invocation), limits.atMostOnce.contains(invocation.intent) {
            violated(.calledTwice, "\(key): '\(invocation.intent)' may be called once, and was called again")
        }
        return before
    }

    /// A handler is called to tell how things go on.
    ///
    /// - Returns: how often it was before.
    mutating func beginUpdates(_ invocation: IntentInvocation) -> Int {
        let key = invocation.key
        let before = handlers.calls["\(key) updates", default: 0]
        handlers.calls["\(key) updates"] = before + 1
        report.updateCalls += 1
        transcript?.append("         updates are called for \(key)")
        if handlers.effects[key] == nil { violated(.updateAfterEnd, "\(key) has updates, and nothing was done") }
        return before
    }

    /// A handler does what it is there for; a repeat under a key that is known does nothing.
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

    /// A session that was forgotten knows none of its requests any more.
    private func forgotten(_ invocation: IntentInvocation) -> Int { sessions[invocation.context.session]?.forgotten ?? 0 }

    // MARK: Questions of code

    /// What the code in a phase does once before it asks: each time it has to, it comes to something else.
    mutating func quote(_ invocation: IntentInvocation) -> JSON {
        if let quote = invocation.context.recorded["quote"] { return quote }
        let key = "\(invocation.key) \(invocation.phase)"
        let quote = JSON.number(Double(handlers.quotes[key, default: []].count + 1))
        handlers.quotes[key, default: []].append(quote)
        report.questions += 1
        return quote
    }

    /// The answer to the question of this phase, which comes with what was recorded before it was asked.
    mutating func answer(_ invocation: IntentInvocation) -> PhaseAnswer? {
        guard let answer = invocation.context.answers.last(where: { $0.question == "sure" }) else { return nil }
        let quotes = handlers.quotes["\(invocation.key) \(invocation.phase)"] ?? []
        if invocation.context.recorded["quote"].map({ quotes.contains($0) }) != true {
            violated(.forgottenRecord, "\(invocation.key): \(invocation.phase) was answered, and what it had recorded is gone")
        }
        return answer
    }
}
