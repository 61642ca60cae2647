package import Conversation
package import DequeModule
import IntentEvents
package import IntentModel

/// A session as gateways see it, derived from its events.
package struct FollowedSession: Sendable {
    package enum State: String, Sendable, Hashable, CaseIterable { case working, prompt, handoff, queued, idle }

    /// An open prompt, and the event that has answered it.
    struct OpenPrompt: Sendable {
        var event: TimelineEvent
        var id: Identifier
        var isSecret: Bool
        /// The approval that it asks for, if others have to agree.
        var approval: ShownApproval?
        /// The event that has answered the prompt. If the event is rejected, the prompt is open again.
        var answer: Identifier?
    }

    /// An open offer of a handoff to an app.
    struct OpenHandoff: Sendable {
        var event: TimelineEvent
        var id: Identifier
        var token: String?
        var isClaimed = false
    }

    package static let maximumEvents = 500
    package static let maximumBytes = 512 << 10
    static let maximumRequests = 50

    package let id: Identifier
    package let partition: Int32
    /// The principal that owns the session, according to its results.
    package internal(set) var owner: Principal?
    /// `true` once a result has named the owner. The owner itself may be `nil`.
    private var hasOwner = false
    package internal(set) var started: Instant
    package internal(set) var updated: Instant
    package internal(set) var events: Deque<TimelineEvent> = []
    private var eventBytes = 0
    private var requestBytes = 0
    /// `true` if the session has earlier events that are not stored here.
    package internal(set) var hasEarlier = false
    package internal(set) var requests: [FollowedRequest] = []
    var prompt: OpenPrompt?
    var handoff: OpenHandoff?
    /// `true` once a result of the session was read. The first result shows whether earlier ones are missing.
    private var hasResults = false
    /// The ids of the events from the person's side, so that a copy is not counted again.
    private var sentEvents: Set<Identifier> = []
    /// The place in the order of changes. The session with the highest number has changed last.
    var change: UInt64 = 0

    init(_ id: Identifier, partition: Int32, at now: Instant) {
        self.id = id
        self.partition = partition
        (started, updated) = (now, now)
    }

    /// The approximate size in memory: the events, and the data that the requests store of them.
    package var bytes: Int { eventBytes + requestBytes }

    package var state: State {
        if openPrompt != nil { return .prompt }
        if handoff != nil { return .handoff }
        if requests.contains(where: { $0.state == .working || $0.state == .prompt || $0.state == .handoff }) {
            return .working
        }
        return requests.contains { $0.state == .queued } ? .queued : .idle
    }

    /// The prompt that waits for an answer; `nil` if there is none.
    package var openPrompt: TimelineEvent? { prompt.flatMap { $0.answer == nil ? $0.event : nil } }

    /// The open offer of a handoff, and whether an app has claimed it.
    package var openHandoff: (event: TimelineEvent, isClaimed: Bool)? { handoff.map { ($0.event, $0.isClaimed) } }

    /// The time since which the session waits for the person or an app, or since which nothing has come of the work on
    /// it; `nil` if it waits for nothing.
    package var waitsSince: Instant? {
        switch state {
        case .prompt: openPrompt?.time
        case .handoff: handoff?.event.time
        case .working, .queued: updated
        case .idle: nil
        }
    }

    /// Returns the results after a place; `nil` unless all of them are stored here.
    func results(after place: LogPosition) -> [TimelineEvent]? {
        // Events from the person's side do not show which results came before them.
        guard partition == place.partition,
            let first = events.first(where: { $0.origin == .results && $0.sequence != nil }),
            !hasEarlier || first.position.offset <= place.offset
        else { return nil }
        return events.filter { $0.origin == .results && $0.position.offset > place.offset }
    }

    /// The current request: the latest one in progress, otherwise the latest queued one, otherwise the latest one.
    package var current: FollowedRequest? {
        requests.last { $0.state != .ended && $0.state != .queued } ?? requests.last { $0.state != .ended }
            ?? requests.last
    }

    /// Applies an event.
    ///
    /// - Returns: `true` if the event is new here.
    mutating func apply(_ event: TimelineEvent) -> Bool {
        if event.origin != .results, !sentEvents.insert(event.id).inserted { return false }
        updated = max(updated, event.time)
        append(event)
        if event.origin == .results { applyResult(event) } else { applySent(event) }
        return true
    }

    private mutating func append(_ event: TimelineEvent) {
        events.append(event)
        eventBytes += event.bytes
        while events.count > Self.maximumEvents || (eventBytes > Self.maximumBytes && events.count > 1) { dropFirst() }
    }

    /// Returns the parts of the session that a viewer may see. The viewer must be one who sees the session at all.
    func redacted(for viewer: Viewer) -> FollowedSession {
        if viewer.scope == .all, !viewer.isMasked { return self }
        var session = self
        session.events = Deque(events.compactMap(viewer.view))
        guard viewer.isMasked else { return session }
        if let prompt { session.prompt?.event = prompt.event.masked }
        if let handoff {
            session.handoff?.event = handoff.event.masked
            session.handoff?.token = nil
        }
        for index in session.requests.indices {
            (session.requests[index].parameters, session.requests[index].undo) = ([], nil)
            session.requests[index].error = nil
        }
        return session
    }

    private mutating func dropFirst() {
        let first = events.removeFirst()
        eventBytes -= first.bytes
        hasEarlier = true
        sentEvents.remove(first.id)
    }

    private mutating func applyResult(_ event: TimelineEvent) {
        // The beginning of the session was evicted here, or is older than the records that this gateway has read.
        if !hasResults, let sequence = event.sequence {
            hasResults = true
            if sequence != 1 { hasEarlier = true }
        }
        updateOwner(of: event)
        if event.type == .rejected { applyRejection(event) }
        guard let request = event.request else { return }
        update(request, at: event.time, isWhole: false) { $0.apply(event) }
        switch event.type {
        case .promptIssued: open(event)
        // A reminder has all members of its prompt, whose own record the topic may have lost.
        case .promptReminded: reopen(event)
        case .handoffOffered, .handoffClaimed:
            guard let id = event.data["handoff"]?.identifier else { return }
            let token = handoff?.id == id ? handoff?.token : nil
            handoff = OpenHandoff(
                event: event, id: id, token: event.token ?? token, isClaimed: event.type == .handoffClaimed)
            closePrompt(of: request)
        case .handoffCompleted: if handoff?.id == event.data["handoff"]?.identifier { handoff = nil }
        case .completed:
            closePrompt(of: request)
            if handoff?.event.request == request { handoff = nil }
        // The words were no answer.
        case .answerRead where event.data["dialog"] != nil && prompt?.id == event.data["prompt"]?.identifier:
            if prompt?.answer == event.data["event"]?.identifier { prompt?.answer = nil }
        case .progressed: if prompt?.answer != nil { closePrompt(of: request) }
        default: break
        }
    }

    private mutating func open(_ event: TimelineEvent) {
        guard let id = event.data["prompt"]?.identifier else { return }
        // The code from signing in authorizes its holder to act for the person, so it is a secret.
        let isSecret =
            event.data["secret"]?.bool == true || event.data["kind"]?.string == Prompt.Kind.signIn.rawValue
        let approval = event.data["approval"].flatMap(ShownApproval.init)
        prompt = OpenPrompt(event: event, id: id, isSecret: isSecret, approval: approval)
    }

    /// Replaces the open prompt by its reminder. The answer that was sent stays, unless others have to agree as well.
    private mutating func reopen(_ event: TimelineEvent) {
        let known = prompt?.id == event.data["prompt"]?.identifier ? prompt : nil
        open(event)
        guard let known else { return }
        // Its age is that of the prompt.
        prompt?.event.time = known.event.time
        if event.data["reason"]?.string == PromptReminder.Reason.reminder.rawValue { prompt?.answer = known.answer }
    }

    /// Updates the owner from a result. Only a rejection outside of the session has no sequence: it names the sender of
    /// an event instead.
    ///
    /// A session's name outlives the session, and the next session with this name may belong to another principal. A
    /// change of owner therefore drops everything that does not belong to the new owner, including the requests and the
    /// open prompt.
    private mutating func updateOwner(of event: TimelineEvent) {
        guard event.sequence != nil, !hasOwner || owner != event.principal else { return }
        let hadResults = hasOwner
        (owner, hasOwner) = (event.principal, true)
        let said = events.filter { $0.origin != .results && $0.principal == event.principal }
        guard hadResults || said.count < events.count - 1 else { return }
        (events, eventBytes, self.sentEvents) = ([], 0, [])
        (requests, requestBytes, prompt, handoff, hasEarlier) = ([], 0, nil, nil, true)
        started = said.first?.time ?? event.time
        for event in said { _ = apply(event) }
        append(event)
    }

    private mutating func closePrompt(of request: Identifier) {
        if prompt?.event.request == request { prompt = nil }
    }

    /// Applies the rejection of an event: a rejected request ends, and the prompt of a rejected answer is open again.
    private mutating func applyRejection(_ rejection: TimelineEvent) {
        guard let event = rejection.data["event"]?.identifier else { return }
        if prompt?.answer == event { prompt?.answer = nil }
        guard requests.contains(where: { $0.id == event && $0.state != .ended }) else { return }
        update(event, at: updated, isWhole: false) { request in
            (request.state, request.status, request.ended) = (.ended, "rejected", rejection.time)
            request.error = rejection.data["message"]?.string ?? rejection.data["reason"]?.string
        }
    }

    private mutating func applySent(_ event: TimelineEvent) {
        // The coordinator rejects events of another principal, except the answers of those who may agree.
        guard owner == nil || event.principal == owner || isOfApprover(event) else { return }
        switch event.type {
        case .requested:
            update(event.id, at: event.time, isWhole: true) {
                $0.intent = event.data["intent"]?.identifier ?? $0.intent
            }
        case .promptAnswered where prompt?.id == event.data["prompt"]?.identifier && prompt?.answer == nil:
            if isRefused(event.id) { return }
            prompt?.answer = event.id
            if let request = prompt?.event.request, let index = requests.firstIndex(where: { $0.id == request }) {
                requests[index].resume(at: event.time)
            }
        default: break
        }
    }

    private func isOfApprover(_ event: TimelineEvent) -> Bool {
        guard event.type == .promptAnswered, let approval = prompt?.approval, let principal = event.principal else {
            return false
        }
        return approval.includes(principal, event.roles) && !approval.hasAgreed(principal)
    }

    /// Returns the last rejection of an event that a principal has sent to this session.
    func rejection(to principal: Principal) -> TimelineEvent? {
        let sent = Set(events.filter { $0.origin != .results && $0.principal == principal }.map(\.id))
        return events.last { event in
            event.type == .rejected && event.data["event"]?.identifier.map(sent.contains) == true
        }
    }

    /// `true` if an answer was rejected, or its words were none. Its record may be read after the result.
    private func isRefused(_ answer: Identifier) -> Bool {
        events.contains { event in
            (event.type == .rejected || event.type == .answerRead && event.data["dialog"] != nil)
                && event.data["event"]?.identifier == answer
        }
    }

    private mutating func update(
        _ id: Identifier, at time: Instant, isWhole: Bool, _ change: (inout FollowedRequest) -> Void
    ) {
        if let index = requests.firstIndex(where: { $0.id == id }) {
            requestBytes -= requests[index].bytes
            change(&requests[index])
            requestBytes += requests[index].bytes
            return
        }
        var request = FollowedRequest(id, started: time, isWhole: isWhole)
        change(&request)
        requests.append(request)
        requestBytes += request.bytes
        while requests.count > Self.maximumRequests { requestBytes -= requests.removeFirst().bytes }
    }
}

extension JSON {
    subscript(name: String) -> JSONView? { view[name] }
}
