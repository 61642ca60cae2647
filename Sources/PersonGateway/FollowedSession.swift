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
        var id: String
        var isSecret: Bool
        /// The event that has answered it. If that is rejected, the prompt is still open.
        var answer: String?
    }

    /// An open offer to an app.
    struct OpenHandoff: Sendable {
        var event: TimelineEvent
        var id: String
        var token: String?
        var isClaimed = false
    }

    package static let maximumEvents = 500
    package static let maximumBytes = 512 << 10
    static let maximumRequests = 50

    package let id: String
    package let partition: Int32
    /// The principal whose session it is, as its results say.
    package internal(set) var owner: Principal?
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
    private var said: Set<String> = []
    /// The order among sessions: the last one has changed last.
    var change: UInt64 = 0

    init(_ id: String, partition: Int32, at now: Instant) {
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
        events.append(event)
        eventBytes += event.bytes
        while events.count > Self.maximumEvents || (eventBytes > Self.maximumBytes && events.count > 1) { dropFirst() }
        if event.origin == .results { takeResult(event) } else { takeSaid(event) }
        return true
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
        takeOwner(of: event)
        if event.type == .rejected { takeRejection(event.data["event"]?.string) }
        guard let request = event.request else { return }
        update(request, at: event.time, isWhole: false) { $0.take(event) }
        switch event.type {
        case .promptIssued:
            if let id = event.data["prompt"]?.string {
                // The code that a person brings from signing in acts for them: it is a secret.
                let isSecret = event.data["secret"]?.bool == true || event.data["kind"]?.string == Prompt.Kind.signIn.rawValue
                prompt = OpenPrompt(event: event, id: id, isSecret: isSecret)
            }
        case .handoffOffered, .handoffClaimed:
            guard let id = event.data["handoff"]?.string else { return }
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

    /// Notes whose session it is. A rejection outside of the session, which has no sequence, only says who has sent the event. When the session was forgotten and another
    /// principal opens it, what was there before is not theirs, and is dropped.
    private mutating func takeOwner(of event: TimelineEvent) {
        guard let sequence = event.sequence else { return }
        let isOther = owner != event.principal && (owner != nil || sequence == 1)
        if isOther, events.contains(where: { $0.origin == .results && $0.position != event.position && $0.sequence != nil }) {
            events.removeAll { $0.request != event.request }
            eventBytes = events.reduce(0) { $0 + $1.bytes }
            requests.removeAll { $0.id != event.request }
            requestBytes = requests.reduce(0) { $0 + $1.bytes }
            (prompt, handoff, hasEarlier) = (nil, nil, true)
            started = event.time
        }
        if sequence == 1 || event.principal != nil { owner = event.principal }
    }

    private mutating func closePrompt(of request: String) {
        if prompt?.event.request == request { prompt = nil }
    }

    /// An event was rejected: a request does not go on, and an answer leaves its prompt open.
    private mutating func takeRejection(_ event: String?) {
        guard let event else { return }
        if prompt?.answer == event { prompt?.answer = nil }
        if let index = requests.firstIndex(where: { $0.id == event && $0.state != .ended }) {
            requests[index].state = .ended
            requests[index].status = "rejected"
            requests[index].ended = updated
        }
    }

    private mutating func takeSaid(_ event: TimelineEvent) {
        switch event.type {
        case .requested:
            update(event.id, at: event.time, isWhole: true) { $0.intent = event.data["intent"]?.string ?? $0.intent }
        case .promptAnswered where prompt?.id == event.data["prompt"]?.string && prompt?.answer == nil:
            prompt?.answer = event.id
            if let request = prompt?.event.request, let index = requests.firstIndex(where: { $0.id == request }) {
                requests[index].resume(at: event.time)
            }
        default: break
        }
    }

    private mutating func update(_ id: String, at time: Instant, isWhole: Bool, _ change: (inout FollowedRequest) -> Void) {
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
