import Conversation
import IntentModel
import Testing

/// A conversation played step by step on its own clock. The effects of each event are returned as lines, such as
/// `prompt value dropOff`. After every event, a ``Ledger`` checks the rules that hold for all conversations.
final class Talk {
    static let start = Instant(milliseconds: 1_700_000_000_000)

    var session = Session(id: "s", updated: Talk.start)
    var now = Talk.start
    var ledger = Ledger()
    private var randomness = Randomness(seed: 1)
    /// The tickets that were sent, by request and step.
    private var tickets: [String: Ticket] = [:]
    /// The parts that change with a step.
    private var state: (Session, Instant, Ledger, Randomness, [String: Ticket], SessionPolicy) {
        get { (session, now, ledger, randomness, tickets, policy) }
        set { (session, now, ledger, randomness, tickets, policy) = newValue }
    }
    /// The events of the current step of a dialogue.
    private var received: [Received] = []

    private struct Received: Equatable {
        var event: SessionEvent
        var principal: Principal?
        var time: Instant
    }

    /// The policy of the session. A long phase is announced only in tests of announcements.
    var policy: SessionPolicy = {
        var policy = SessionPolicy()
        policy.announceAfter = nil
        return policy
    }()
    /// The phase at which a dialogue began.
    var opening: Phase?
    /// The effects of the last event.
    private(set) var decision = Decision.changed([])
    var effects: [Effect] { decision.effects }

    @discardableResult
    func receive(
        _ event: SessionEvent, from principal: Principal? = nil, isNamed: Bool = false, at line: Line = #_sourceLocation
    ) -> [String] {
        let before = session
        received.append(Received(event: event, principal: principal, time: now))
        decision = session.receive(
            event, from: principal, isNamed: isNamed, at: now, policy: policy, randomness: &randomness)
        for case .work(let work) in effects {
            tickets["\(work.request).\(work.step)"] = work.item?.ticket ?? tickets["\(work.request).\(work.step)"]
        }
        for problem in ledger.record(event, before: before, decision, after: session) {
            Issue.record("\(problem), after \(event)", sourceLocation: line)
        }
        return decision.lines
    }

    /// The ticket that the worker of a step got.
    func ticket(_ request: Identifier = "r", _ step: Int) -> Ticket? { tickets["\(request).\(step)"] }

    /// Plays some steps.
    ///
    /// - Returns: The effects of the last step.
    @discardableResult
    func play(_ steps: Step...) -> [String] { steps.reduce([]) { $1.play(on: self) } }

    /// Plays a dialogue, and records each step with other effects than the dialogue's. In the effects, `$phase` is the
    /// phase at which the dialogue began. An alternative must replace a step with events, by other events.
    func play(_ dialogue: Dialogue) {
        var fork = state
        var tried: [[Received]] = []
        for (step, reply) in dialogue.lines {
            switch step.kind {
            case .event: (fork, tried) = (state, [])
            case .alternative: state = fork
            case .look: break
            }
            received = []
            let effects = step.play(on: self)
            if step.kind == .alternative, tried.first?.isEmpty != false || tried.contains(received) {
                Issue.record("an alternative to no event, or the same events again", sourceLocation: step.line)
            }
            if step.kind != .look { tried.append(received) }
            guard let lines = reply.lines?.map({ $0.replacing("$phase", with: opening?.rawValue ?? "$phase") }),
                effects != lines
            else { continue }
            Issue.record("\(effects) instead of \(lines)", sourceLocation: step.line)
        }
    }

    func passes(_ duration: Duration) { now = now.advanced(by: duration) }
}

/// A test in the form of a script: each step, and the effects that it has.
struct Dialogue: Sendable, ExpressibleByDictionaryLiteral, CustomTestStringConvertible {
    /// The sentence that the dialogue shows.
    var testDescription = ""
    private(set) var lines: [(step: Step, reply: Reply)]

    init(dictionaryLiteral lines: (Step, Reply)...) { self.lines = lines.map { ($0, $1) } }

    /// One dialogue for each variant of a step.
    fileprivate func cases(_ title: String) -> [Dialogue] {
        var dialogue = self
        guard let index = lines.firstIndex(where: { !$0.step.variants.isEmpty }) else {
            dialogue.testDescription = title
            return [dialogue]
        }
        return lines[index].step.variants.enumerated().flatMap { number, variant in
            dialogue.lines[index].step = variant
            return dialogue.cases("\(title) (\(variant.name ?? "\(number + 1)"))")
        }
    }
}

/// Dialogues by the sentences that they show.
struct Dialogues: Sendable, ExpressibleByDictionaryLiteral {
    let cases: [Dialogue]

    init(dictionaryLiteral dialogues: (String, Dialogue)...) { cases = dialogues.flatMap { $1.cases($0) } }
}

/// The effects of a step. The reply "…" stands for any effects.
struct Reply: Sendable, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral {
    let lines: [String]?

    init(stringLiteral line: String) { lines = line == "…" ? nil : [line] }

    init(arrayLiteral lines: String...) { self.lines = lines }
}

// MARK: State

extension Talk {
    var stage: StageName? { session.active?.stage.name }
    var active: Identifier? { session.active?.request.id }
    var queued: [Identifier] { session.queued.map(\.id) }
    var suspended: [Identifier] { session.suspended.map(\.request.id) }
    var prompt: Prompt? { session.active?.prompt }
    /// The last offered handoff.
    var handoff: Identifier { ledger.handoffs.last ?? "none was offered" }
    /// The requests of the open handoffs.
    var handoffs: [Identifier] { session.handoffs.map(\.request) }
    var completion: Completion? { ledger.completions.last }
    /// The items of the last completion.
    var items: [String]? { completion?.items.map(\.id) }
    /// The reason of the last completion's error.
    var error: RejectionReason? { completion?.error?.reason }
    var work: Work? { effects.lazy.compactMap { if case .work(let work) = $0 { work } else { nil } }.first }
    var item: WorkItem? { work?.item }
    var outstanding: [Work.Kind] { session.outstandingWork.map(\.kind) }
    /// The answers to the questions of the phase, as its next run gets them.
    var answers: [PhaseAnswer] { item?.answers ?? [] }
    /// The changes of the owner's memory that are not written yet.
    var pending: [String] { session.person.pending.map(\.kind.line) }
    var results: [SessionResult] { effects.compactMap { if case .result(let result) = $0 { result } else { nil } } }
    /// The handoffs that were offered by the last event.
    var offers: [Handoff] {
        results.compactMap { if case .handoffOffered(let handoff) = $0.body { handoff } else { nil } }
    }
    /// The prompt that was sent by the last event.
    var sentPrompt: Prompt? {
        results.lazy.compactMap { if case .prompted(let prompt) = $0.body { prompt } else { nil } }.first
    }
    var rejection: Rejection? {
        results.lazy.compactMap { if case .rejected(let rejection) = $0.body { rejection } else { nil } }.first
    }

    // The seconds from now.
    var stageLasts: Double? { seconds(until: session.active?.stageEnds) }
    var promptLasts: Double? { seconds(until: prompt?.expires) }
    var handoffLasts: Double? { seconds(until: session.handoffs.first?.expires) }
    var workLasts: Double? { seconds(until: item?.deadline) }
    var timerLasts: Double? { seconds(until: session.nextTimer(policy)) }

    func seconds(until instant: Instant?) -> Double? {
        instant.map { Double($0.milliseconds - now.milliseconds) / 1_000 }
    }

    func parameter(_ name: String) -> ParameterState? { session.active?.parameters.first { $0.name == name } }

    /// A parameter of the active request in words, such as `chosen station-north`.
    func known(_ name: String) -> String? {
        parameter(name).map { state in
            let elements = state.elements.map { " [\($0.map(\.rawValue).joined(separator: " "))]" } ?? ""
            return "\(state.origin) \(state.value.map(words) ?? "-")\(elements)"
        }
    }
}

extension Decision {
    var lines: [String] {
        switch self {
        case .ignored(let why): ["ignored \(why)"]
        case .changed(let effects): effects.map(\.line)
        case .forgotten: ["forgotten"]
        }
    }
}

extension Effect {
    var line: String {
        switch self {
        case .work(let work):
            let phase = work.isInApp ? "\(work.phase) in app" : "\(work.phase)"
            switch work {
            case .item(let item): return item.attempt == 1 ? phase : "\(phase) attempt \(item.attempt)"
            case .update: return "update"
            case .cancel: return "cancel \(phase)"
            case .permit(let permit): return "permit \(permit.claim ?? "-")"
            }
        case .result(let result): return result.line
        case .memory(let change, of: let person): return "memory \(person.id) \(change.kind.line)"
        }
    }
}

extension MemoryChange.Kind {
    var line: String {
        switch self {
        case .remember(let value): "\(value.key) \(value.value)"
        case .forget(let keys): "forget \(keys?.joined(separator: " ") ?? "all")"
        }
    }
}

extension SessionResult {
    var line: String {
        switch body {
        case .prompted(let prompt):
            "prompt \(prompt.kind)" + (prompt.parameter.map { " \($0)" } ?? "")
                + (prompt.asked.element.map { "[\($0)]" } ?? "")
        case .reminded(let reminder): "reminded \(reminder.reason)"
        case .optionsListed(let listed):
            "options \(listed.page.options.map(\.id).joined(separator: " "))"
                + (listed.page.next.map { ", next \($0)" } ?? "")
        case .answerRead(let answer): "read \(answer.readAs)" + (answer.option.map { " \($0)" } ?? "")
        case .progressed(let progress) where progress.code == .queued: "queued"
        case .progressed(let progress): "progress \(progress.fraction.map { "\($0)" } ?? "-")"
        case .handoffOffered(let handoff): "offer \(handoff.mode)"
        case .handoffClaimed(let handoff): "claimed by \(handoff.claimant?.name ?? "nobody")"
        case .handoffCompleted(let handoff, let response):
            "handoff completed by \(handoff.claimant?.name ?? "nobody"): \(response.code)"
        case .completed(let completion):
            "completed \(request ?? "-"): \(completion.status)"
                + (completion.hasUsualCode ? "" : " \(completion.code)")
                + (completion.opens.map { ", opens \($0.intent)" } ?? "")
        case .lateOutcome(let answer): "late \(request ?? "-"): \(answer.code)"
        case .updated(_, let update): "update \(update.phase)"
        case .updatesEnded(_, let end, let error): "updates \(end)" + (error.map { ": \($0.reason)" } ?? "")
        case .memoryForgotten(let forgotten):
            "confirmed \(forgotten.event): \(forgotten.keys?.joined(separator: " ") ?? "all"), "
                + (forgotten.count.map { "\($0)" } ?? "-")
        case .rejected(let rejection): "rejected \(rejection.reason)" + (rejection.field.map { " \($0)" } ?? "")
        }
    }
}

extension Completion {
    fileprivate var hasUsualCode: Bool { code.rawValue == (status == .timedOut ? "requestTimedOut" : status.rawValue) }
}

/// A value of the state in words: `none` if it is absent or empty.
func words(_ value: Any) -> String {
    switch value {
    case let json as JSON: return json.view.string ?? json.description
    case let answer as PhaseAnswer:
        return "\(answer.question) \(answer.isAccepted ? "accepted" : "declined")"
            + (answer.value.map { " \(words($0))" } ?? "")
    default: break
    }
    let mirror = Mirror(reflecting: value)
    let parts = mirror.children.map(\.value)
    switch mirror.displayStyle {
    case .optional: return parts.first.map(words) ?? "none"
    case .collection, .set: return parts.isEmpty ? "none" : parts.map(words).joined(separator: ", ")
    case .dictionary where parts.isEmpty: return "none"
    case .dictionary:
        return parts.map { Mirror(reflecting: $0).children.map { words($0.value) }.joined(separator: " ") }.sorted()
            .joined(separator: ", ")
    default: return "\(value)"
    }
}
