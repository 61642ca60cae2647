package import Conversation
package import DequeModule
import IntentEvents
package import IntentModel

/// A session as gateways see it, made of its events.
package struct FollowedSession: Sendable {
    package enum State: String, Sendable, Hashable, CaseIterable { case working, prompt, handoff, queued, idle }

    /// An open prompt, and whether it was answered since.
    struct OpenPrompt: Sendable {
        var event: TimelineEvent
        var id: Identifier
        var isSecret: Bool
        /// The event that has answered it. If that is rejected, the prompt is still open.
        var answer: Identifier?
    }

    /// An open offer to an app.
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
    /// The principal whose session it is, as its results say.
    package internal(set) var owner: Principal?
    /// `true` once a result has said whose session it is: `owner` may be nobody.
    private var hasOwner = false
    package internal(set) var started: Instant
    package internal(set) var updated: Instant
    package internal(set) var events: Deque<TimelineEvent> = []
    private var eventBytes = 0
    private var requestBytes = 0
    /// Whether there were earlier events that are not kept.
    package internal(set) var hasEarlier = false
    package internal(set) var requests: [FollowedRequest] = []
    var prompt: OpenPrompt?
    var handoff: OpenHandoff?
    /// Whether a result of the session was seen, which tells where it begins.
    private var hasResults = false
    /// The ids of what the person's side has said, so that the same event counts once.
    private var said: Set<Identifier> = []
    /// The order among sessions: the last one has changed last.
    var change: UInt64 = 0

    init(_ id: Identifier, partition: Int32, at now: Instant) {
        self.id = id
        self.partition = partition
        (started, updated) = (now, now)
    }

    /// What it takes in memory, about: its events, and what its requests keep of them.
    package var bytes: Int { eventBytes + requestBytes }

    package var state: State {
        if openPrompt != nil { return .prompt }
        if handoff != nil { return .handoff }
        if requests.contains(where: { $0.state == .working || $0.state == .prompt || $0.state == .handoff }) { return .working }
        return requests.contains { $0.state == .queued } ? .queued : .idle
    }

    /// The prompt that waits for an answer.
    package var openPrompt: TimelineEvent? { prompt.flatMap { $0.answer == nil ? $0.event : nil } }

    /// The offer that is open, and whether an app has claimed it.
    package var openHandoff: (event: TimelineEvent, isClaimed: Bool)? { handoff.map { ($0.event, $0.isClaimed) } }

    /// Whether all its results after this offset are kept.
    func keepsResults(after offset: Int64) -> Bool {
        // What the person's side has said tells nothing of the results before it.
        guard let first = events.first(where: { $0.origin == .results && $0.sequence != nil }) else { return false }
        return !hasEarlier || first.position.offset <= offset
    }

    /// The request that the session is about at present: the one that waits for something, or the newest one.
    package var current: FollowedRequest? {
        requests.last { $0.state != .ended && $0.state != .queued } ?? requests.last { $0.state != .ended } ?? requests.last
    }

    /// - Returns: Whether it is new here.
    mutating func take(_ event: TimelineEvent) -> Bool {
        if event.origin != .results, !said.insert(event.id).inserted { return false }
        updated = max(updated, event.time)
        append(event)
        if event.origin == .results { takeResult(event) } else { takeSaid(event) }
        return true
    }

    private mutating func append(_ event: TimelineEvent) {
        events.append(event)
        eventBytes += event.bytes
        while events.count > Self.maximumEvents || (eventBytes > Self.maximumBytes && events.count > 1) { dropFirst() }
    }

    /// The session with what a viewer may see of it, who sees the session at all.
    func seen(by viewer: Viewer) -> FollowedSession {
        if viewer.scope == .all, !viewer.isMasked { return self }
        var session = self
        session.events = Deque(events.compactMap(viewer.view))
        guard viewer.isMasked else { return session }
        if let prompt { session.prompt?.event = prompt.event.masked }
        if let handoff {
            session.handoff?.event = handoff.event.masked
            session.handoff?.token = nil
        }
        for index in session.requests.indices { (session.requests[index].parameters, session.requests[index].undo) = ([], nil) }
        return session
    }

    private mutating func dropFirst() {
        let first = events.removeFirst()
        eventBytes -= first.bytes
        hasEarlier = true
        said.remove(first.id)
    }

    private mutating func takeResult(_ event: TimelineEvent) {
        // It was forgotten here, or began before what this gateway has read.
        if !hasResults, let sequence = event.sequence {
            hasResults = true
            if sequence != 1 { hasEarlier = true }
        }
        updateOwner(of: event)
        if event.type == .rejected { takeRejection(event.data["event"]?.identifier) }
        guard let request = event.request else { return }
        update(request, at: event.time, isWhole: false) { $0.take(event) }
        switch event.type {
        case .promptIssued:
            if let id = event.data["prompt"]?.identifier {
                // The code that a person brings from signing in acts for them: it is a secret.
                let isSecret = event.data["secret"]?.bool == true || event.data["kind"]?.string == Prompt.Kind.signIn.rawValue
                prompt = OpenPrompt(event: event, id: id, isSecret: isSecret)
            }
        case .handoffOffered, .handoffClaimed:
            guard let id = event.data["handoff"]?.identifier else { return }
            let token = handoff?.id == id ? handoff?.token : nil
            handoff = OpenHandoff(event: event, id: id, token: event.token ?? token, isClaimed: event.type == .handoffClaimed)
            closePrompt(of: request)
        case .completed:
            closePrompt(of: request)
            if handoff?.event.request == request { handoff = nil }
        case .progressed: if prompt?.answer != nil { closePrompt(of: request) }
        default: break
        }
    }

    /// Reads the owner off a result. Only a rejection outside of the session has no sequence: it names the sender of an event instead.
    ///
    /// A session's name outlives the session, and the next one under the name may be another principal's. So a change of owner drops everything that is not
    /// of the new one, the requests and the open prompt included.
    private mutating func updateOwner(of event: TimelineEvent) {
        guard event.sequence != nil, !hasOwner || owner != event.principal else { return }
        let hadResults = hasOwner
        (owner, hasOwner) = (event.principal, true)
        let said = events.filter { $0.origin != .results && $0.principal == event.principal }
        guard hadResults || said.count < events.count - 1 else { return }
        (events, eventBytes, self.said) = ([], 0, [])
        (requests, requestBytes, prompt, handoff, hasEarlier) = ([], 0, nil, nil, true)
        started = said.first?.time ?? event.time
        for event in said { _ = take(event) }
        append(event)
    }

    private mutating func closePrompt(of request: Identifier) {
        if prompt?.event.request == request { prompt = nil }
    }

    /// An event was rejected: a request does not go on, and an answer leaves its prompt open.
    private mutating func takeRejection(_ event: Identifier?) {
        guard let event else { return }
        if prompt?.answer == event { prompt?.answer = nil }
        if let index = requests.firstIndex(where: { $0.id == event && $0.state != .ended }) {
            requests[index].state = .ended
            requests[index].status = "rejected"
            requests[index].ended = updated
        }
    }

    private mutating func takeSaid(_ event: TimelineEvent) {
        // The coordinator rejects what another principal says.
        guard owner == nil || event.principal == owner else { return }
        switch event.type {
        case .requested:
            update(event.id, at: event.time, isWhole: true) { $0.intent = event.data["intent"]?.identifier ?? $0.intent }
        case .promptAnswered where prompt?.id == event.data["prompt"]?.identifier && prompt?.answer == nil:
            prompt?.answer = event.id
            if let request = prompt?.event.request, let index = requests.firstIndex(where: { $0.id == request }) {
                requests[index].resume(at: event.time)
            }
        default: break
        }
    }

    private mutating func update(_ id: Identifier, at time: Instant, isWhole: Bool, _ change: (inout FollowedRequest) -> Void) {
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
