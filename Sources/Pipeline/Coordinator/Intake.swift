import Conversation
import IntentEvents
import IntentModel
import MessageAuthentication
import RecordLog

/// Who is trusted to speak for the person.
public enum InputTrust: String, Sendable, Hashable, CaseIterable {
    /// Who may write `intents.requests` or `intents.answers`. For producers that are all trusted alike.
    case open
    /// Only who may write `intents.answers`. `intents.requests` takes requests, and answers that fill in values, and their principals do not count as authenticated: an
    /// agent that may write there can ask for things and say what is asked, and never agree to them.
    case separate
}

/// Who has caused an event.
struct Sender {
    let principal: Principal?
    /// Whether the principal is only named, by a producer that is not trusted to authenticate it.
    let isNamed: Bool

    init(_ principal: Principal?, isNamed: Bool = false) {
        self.principal = principal
        self.isNamed = isNamed
    }

    /// The person about whom something can be remembered in a session; `nil` if its owner is no person, or not authenticated.
    ///
    /// - Parameter entry: `nil` if this sender opens it.
    func person(in entry: SessionEntry?) -> Principal? {
        if let entry { return entry.session.rememberedPerson }
        guard let principal, principal.isPerson, !isNamed else { return nil }
        return principal
    }
}

/// Knows where the work of an intent goes, and what is remembered about its parameters.
protocol IntentRouting {
    func answer(for intent: Identifier) -> CatalogueRoutes.Answer
    func memory(of intent: Identifier) -> IntentMemory?
}

extension CatalogueFollower: IntentRouting {}

/// Knows what is remembered about people.
protocol PersonKnowledge {
    /// All that is remembered about a person; `nil` if nothing is, or not all of it is read.
    func person(_ principal: Principal) -> RememberedPerson?
    /// `true` if all that was written before about a person is read.
    func isReady(for principal: Principal) -> Bool
}

extension MemoryKeeper: PersonKnowledge {}

/// Judges the events of the person's side before a session sees them: their place, their sender's trust, rate and sessions, and the tokens of claims. It completes
/// admitted events with routes of the catalogue and with remembered values, which the session journals. It has no log and no clock.
struct Intake {
    let configuration: CoordinatorConfiguration
    /// `nil` if all work goes to the default service.
    let catalogue: (any IntentRouting)?
    /// `nil` if only sessions remember anything.
    let memory: (any PersonKnowledge)?

    enum Verdict {
        /// The session decides on the event.
        case admitted(SessionEvent, from: Sender)
        /// The session rejects the event.
        case refused(Rejection)
        /// The record is in another partition than its key's. It is rejected outside of any session.
        case misplaced(Rejection)
        /// The sender has written too much, or has too many sessions open. The event is rejected outside of any session; the next owner may admit it.
        case overloaded(Rejection)
    }

    func judge(
        _ event: RequestEvent, key: Bytes?, on input: JournalInput, in partition: Int32,
        _ sessions: inout PartitionSessions, at now: Instant
    ) -> Verdict {
        if let rejection = misplacement(of: key, in: partition) { return .misplaced(rejection) }
        if let rejection = spend(on: event, input, &sessions, at: now),
            !sessions.isRepeat(event.event, in: event.session, at: now)
        {
            return .overloaded(rejection)
        }
        let entry = sessions[event.session]
        if let rejection = impermissibility(of: event, on: input) ?? claimRefusal(of: event, in: entry) {
            return .refused(rejection)
        }
        // The platform controls other principals' sessions by the person's channel alone: a producer only names it, whatever the trust.
        let isForged = input == .requests && event.principal?.kind == .system && event.event.isControl
        return .admitted(
            routed(trusted(event, on: input), of: entry, at: now),
            from: Sender(event.principal, isNamed: isForged || !trustsPrincipals(on: input)))
    }

    /// The rejection of a record in another partition than that of its key: two coordinators would have the same session.
    func misplacement(of key: Bytes?, in partition: Int32) -> Rejection? {
        guard let count = configuration.partitions, let key else { return nil }
        let home = Murmur2.partition(of: key, count: count)
        guard home != partition else { return nil }  // rule: misplacedRequestsAreRejected
        return Rejection(
            .invalid,
            "the record is in partition \(partition), but its key belongs to partition \(home) of \(count): choose partitions by murmur2 of the key, as "
                + "Java's producer does (librdkafka: partitioner=murmur2_random)",
            field: "key")
    }

    // MARK: Trust

    /// Whether the principals that events of this input name count as authenticated.
    private func trustsPrincipals(on input: JournalInput) -> Bool {
        configuration.trust == .open || input != .requests  // rule: onlyAnswersSpeakForThePerson
    }

    /// The rejection of an event that does not belong on its topic.
    func impermissibility(of event: RequestEvent, on input: JournalInput) -> Rejection? {
        if trustsPrincipals(on: input) { return nil }
        switch event.event {
        // The session knows the prompt, and judges answers.
        case .requested, .answered, .optionsRequested: return nil
        default:
            let topics = configuration.topics
            return Rejection(
                .unauthorized,
                "'\(event.type.rawValue)' is not accepted on \(topics.requests), only on \(topics.answers): \(topics.requests) takes requests here, and what fills them in",
                field: "type")
        }
    }

    /// The event for the session. A request's principal counts as authenticated only where the person's channel has written it.
    private func trusted(_ event: RequestEvent, on input: JournalInput) -> SessionEvent {
        guard !trustsPrincipals(on: input), case .requested(var request) = event.event else { return event.proven }
        request.principal = nil
        return .requested(request)
    }

    /// The rejection of a claim without the token of its offer, if there is a secret to sign tokens with. A handoff that is not open is left to the session.
    private func claimRefusal(of event: RequestEvent, in entry: SessionEntry?) -> Rejection? {
        guard let tokens = configuration.handoffTokens,  // rule: claimsNeedTheirToken
            case .handoffClaimed(let id, let claimant) = event.event,
            let handoff = entry?.session.handoffs.first(where: { $0.id == id }),
            handoff.claimant?.name != claimant.name
        else { return nil }
        guard let token = event.token else {
            return Rejection(.unauthorized, "a claim needs the 'token' of the offer of '\(id)'", field: "token")
        }
        if tokens.isValid(token, for: handoff, session: event.session) { return nil }
        return Rejection(
            .unauthorized,
            "the token is not that of the open offer of '\(id)': it is another's, or the handoff was returned since",
            field: "token")
    }

    // MARK: Rates

    /// Spends a token of the sender's rate: that of a principal in all of its sessions, or of anyone in one session. An event in the name of a principal by a producer
    /// that is not trusted to authenticate it does not count against the principal.
    ///
    /// - Returns: The rejection if no token is left, or if the principal may open no further session.
    private func spend(
        on event: RequestEvent, _ input: JournalInput, _ sessions: inout PartitionSessions, at now: Instant
    ) -> Rejection? {
        let (rate, burst) = (configuration.limits.maximumRate, configuration.limits.maximumBurst)
        let entry = sessions[event.session]
        let isTrusted = trustsPrincipals(on: input)
        let wait: Duration?
        if isTrusted, let principal = event.principal {
            if entry == nil, sessions.openSessions(of: principal) >= configuration.limits.maximumSessionsOfPrincipal {
                return Rejection(
                    .busy,
                    "the principal has \(configuration.limits.maximumSessionsOfPrincipal) sessions open in this partition: end one, or wait until one is forgotten",
                    field: "authid", retryAfter: configuration.policy.idleTimeout)
            }
            wait = sessions.rates.spend(of: principal, rate: rate, burst: burst, at: now)
        } else if isTrusted {
            wait = entry?.rate.spend(rate: rate, burst: burst, at: now)
        } else {
            wait = entry?.producerRate.spend(rate: rate, burst: burst, at: now)
        }
        guard let wait else { return nil }
        let sender = isTrusted && event.principal != nil ? "principal" : "session"
        return Rejection(
            .busy,
            "the \(sender) has sent more than \(burst) events at once, and more than \(rate) a second since: send it again later",
            retryAfter: wait)
    }

    // MARK: Routes

    /// Adds the routes of a request's work.
    private func routed(_ event: SessionEvent, of entry: SessionEntry?, at now: Instant) -> SessionEvent {
        guard let catalogue else { return event }
        switch event {
        case .requested(var request):
            if !request.candidates.isEmpty { return routed(request, by: catalogue) }
            switch catalogue.answer(for: request.intent) {
            case .served(nil): return event
            case .served(let route):
                request.route = route
                return .requested(request)
            case .unserved(let why): return .unserved(request, why)
            }
        case .undoRequested(var undo):
            // One that no worker serves goes to the default service, which refuses it.
            guard let inverse = entry?.session.inverse(undo, at: now),
                case .served(let route?) = catalogue.answer(for: inverse)
            else {
                return event
            }
            undo.route = route
            return .undoRequested(undo)
        default: return event
        }
    }

    /// Leaves out the candidates that no worker serves, and such a fallback.
    private func routed(_ asked: IntentRequest, by catalogue: any IntentRouting) -> SessionEvent {
        var request = asked
        var why: Rejection?
        func route(_ intent: Identifier, _ route: inout IntentRoute?) -> Bool {
            switch catalogue.answer(for: intent) {
            case .served(let served): route = served
            case .unserved(let rejection):
                why = why ?? rejection
                return false
            }
            return true
        }
        request.candidates = asked.candidates.compactMap { candidate in
            var candidate = candidate
            return route(candidate.intent, &candidate.route) ? candidate : nil
        }
        if let fallback = asked.fallback, !route(fallback, &request.fallbackRoute) { request.fallback = nil }
        if request.candidates.isEmpty, let fallback = request.fallback {
            (request.intent, request.route) = (fallback, request.fallbackRoute)
            (request.fallback, request.fallbackRoute) = (nil, nil)
            return .requested(request)
        }
        guard request.candidates.isEmpty, let why else { return .requested(request) }
        return .unserved(asked, why)
    }

    // MARK: Memory

    /// Adds to an event of the person's side what is remembered about them.
    ///
    /// - Parameters:
    ///   - id: the event's.
    ///   - entry: the session; `nil` if the event opens it.
    func remembering(
        _ event: SessionEvent, for person: Principal, event id: Identifier, _ entry: SessionEntry?, at now: Instant
    ) -> SessionEvent {
        switch event {
        case .requested(var request):
            // One look at what is known: the values and the forgettings are of the same time.
            let known = memory?.person(person)
            guard known != nil || entry?.session.person.isEmpty == false else { return event }
            request.remembered = remembered(
                for: [request.intent] + request.candidates.map(\.intent) + (request.fallback.map { [$0] } ?? []), known,
                person, entry, at: now)
            // The session may have followed a forgetting of which this process has not read yet.
            request.memorySince = [known?.forgettings.last?.position, entry?.session.person.told].compactMap { $0 }
                .max()
            if let known, let own = entry?.session, !own.person.isEmpty {
                request.memoryDone = known.done(own.person.stream)
            }
            return .requested(request)
        case .forgotten(var forgetting):
            forgetting.event = id
            return .forgotten(forgetting)
        default: return event
        }
    }

    /// Adds the route and the remembered values of the intent that an outcome opens. An intent that no worker serves goes to the default service, which refuses it.
    func complete(_ outcome: inout Outcome, _ entry: SessionEntry, at now: Instant) {
        guard let catalogue, case .finished(.responded(let response, _)) = outcome.content,
            let opened = response.opensIntent
        else { return }
        if case .served(let route?) = catalogue.answer(for: opened.intent) { outcome.openedRoute = route }
        guard let person = entry.session.rememberedPerson else { return }
        outcome.openedMemory = remembered(for: [opened.intent], memory?.person(person), person, entry, at: now)
    }

    /// The values that are remembered about a person for these intents, with the changes of their session.
    ///
    /// - Parameter known: all that is remembered about them.
    private func remembered(
        for intents: [Identifier], _ known: RememberedPerson?, _ person: Principal, _ entry: SessionEntry?,
        at now: Instant
    ) -> [RememberedValue] {
        // An older record may come before a newer one, and what this process has read may be older than what the session knows to be forgotten.
        if let memory, !memory.isReady(for: person) { return [] }
        if let told = entry?.session.person.told, known.map({ $0.position < told }) ?? true { return [] }
        var values: [RememberedValue] = []
        if let known {
            // Without a catalogue it is not known what an intent remembers.
            let keys = catalogue.map { catalogue in
                Set(intents.flatMap { Array((catalogue.memory(of: $0)?.personKeys ?? [:]).values) })
            }
            values = known.values.filter { keys?.contains($0.key) != false && !$0.isOver(at: now) }
        }
        guard let entry, !entry.session.person.isEmpty else { return values }
        var own = entry.session.person
        if own.isUnsure(known) { own.pending.removeAll { $0.number <= entry.changesSent } }
        return own.adding(to: values, known)
    }
}

extension PersonMemory {
    /// `true` if changes that were sent may be done although the person's record does not say so: of many sessions it knows the last ones only.
    func isUnsure(_ known: RememberedPerson?) -> Bool {
        known.map { $0.hasForgottenStreams && $0.done(stream) == 0 } ?? false
    }
}

extension RequestEvent {
    /// The event with the digest of its secret, by which the session knows the claimant again.
    fileprivate var proven: SessionEvent {
        guard let proof = secret.map({ Hexadecimal.encode(SHA256.hash(Array($0.utf8))) }) else { return event }
        switch event {
        case .handoffClaimed(let handoff, let claimant):
            return .handoffClaimed(handoff: handoff, claimant: Claimant(claimant.name, proof: proof))
        case .handoffCompleted(let handoff, let claimant, let response):
            return .handoffCompleted(
                handoff: handoff, claimant: Claimant(claimant.name, proof: proof), response: response)
        case .handoffReturned(let handoff, let claimant):
            return .handoffReturned(handoff: handoff, claimant: Claimant(claimant.name, proof: proof))
        default: return event
        }
    }
}
