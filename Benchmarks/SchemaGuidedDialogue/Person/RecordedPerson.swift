import Conversation
import IntentEvents
import IntentKit
import IntentModel

/// The person of a recorded dialogue. It makes the recorded requests and answers each prompt with the recorded values.
///
/// The turns are played in order. A request that begins in a turn contains the values said up to then. A prompt is
/// answered from the first turn that contains the value, together with all other values of that turn. So an answer
/// depends on the turns that have been played, not only on the prompt as with a `ScriptedPerson`.
struct RecordedPerson: Sendable {
    let dialogue: Dialogue
    let session: Identifier
    private let services: Services
    /// The next turn to play.
    private var turn = 0
    /// The open request.
    private var open: OpenRequest?
    /// The items that the pipeline has offered to choose from.
    private var choice: Choice?
    private var requests = 0
    /// The number of requests that have been completed or rejected.
    private var ended = 0
    /// The values of the chosen items, by the pipeline's memory key. The pipeline remembers these values too.
    private var chosen: [String: String] = [:]
    /// `true` if a request leaves out the values in ``remembered``.
    private let saysOnce: Bool
    private var remembered: [String: String] = [:]
    private(set) var tally = Tally()
    /// Unexpected results from the pipeline.
    private(set) var surprises: [String] = []

    struct Tally: Sendable, Hashable {
        /// Prompts for a value, or to confirm the intent.
        var prompts = 0
        /// Prompts for a value that the person had already given or the recorded assistant did not need, and
        /// confirmations that the recorded assistant did not ask for.
        var needless = 0
        /// Prompts to choose an item.
        var choices = 0
    }

    private struct OpenRequest {
        var id: Identifier
        var service: String
        var intent: ServiceSchema.Intent
        /// The values that the pipeline has for the request.
        var said: [String: String]
    }

    private struct Choice {
        var request: Identifier
        var service: String
        var prompt: Identifier
        var items: [(id: String, value: [String: String])]
    }

    /// - Parameter saysOnce: `true` if a request leaves out the values that the pipeline remembers from earlier
    ///   requests.
    init(_ dialogue: Dialogue, session: Identifier, _ services: Services, saysOnce: Bool = false) {
        self.saysOnce = saysOnce
        self.dialogue = dialogue
        self.session = session
        self.services = services
    }

    /// `true` if all turns have been played and all requests have ended.
    var isOver: Bool { turn >= dialogue.turns.count && open == nil && choice == nil && ended >= requests }

    /// Plays turns until the person has to wait for the pipeline.
    ///
    /// - Returns: The person's events.
    mutating func playTurns() -> [SessionEvent] {
        var events: [SessionEvent] = []
        while open == nil, turn < dialogue.turns.count {
            defer { turn += 1 }
            guard dialogue.turns[turn].speaker == .user else { continue }
            for frame in dialogue.turns[turn].frames {
                if frame.does("SELECT"), let answer = select(frame) { events.append(answer) }
                guard open == nil, begins(frame), let intent = services[frame.service]?.intent(frame.activeIntent ?? "")
                else { continue }
                if let declined = decline() { events.append(declined) }
                events.append(request(intent, frame))
            }
        }
        if open == nil, turn >= dialogue.turns.count, let declined = decline() { events.append(declined) }
        return events
    }

    /// `true` if a turn begins a request: an intent, another search, alternatives when no items are left, or the
    /// alternative that was offered after a failure.
    private func begins(_ frame: Dialogue.Frame) -> Bool {
        if frame.does("INFORM_INTENT") || frame.does("AFFIRM_INTENT") || frame.does("INFORM") { return true }
        if frame.does("AFFIRM"), wasOfferedInstead(frame.service) { return true }
        return frame.does("REQUEST_ALTS") && !hasMore(frame.service)
    }

    /// `true` if the previous turn reported a failure and offered an alternative.
    private func wasOfferedInstead(_ service: String) -> Bool {
        guard turn > 0, let frame = dialogue.frame(turn - 1, of: service) else { return false }
        return frame.does("NOTIFY_FAILURE") && frame.does("OFFER")
    }

    /// `true` if the pipeline has found items that have not been offered yet.
    private func hasMore(_ service: String) -> Bool {
        guard let choice, choice.service == service else { return false }
        var offered = 0
        for index in dialogue.turns.indices.prefix(turn).reversed() {
            guard let frame = dialogue.frame(index, of: service), dialogue.turns[index].speaker == .system else {
                continue
            }
            offered += frame.actions.filter { $0.act == "OFFER" }.map { $0.values?.count ?? 0 }.max() ?? 0
            if frame.call != nil { break }
        }
        return offered < choice.items.count
    }

    private mutating func request(_ intent: ServiceSchema.Intent, _ frame: Dialogue.Frame) -> SessionEvent {
        requests += 1
        let known = (frame.slotValues ?? [:]).filter { intent.parameters.contains($0.key) }
        // The pipeline remembers the values of a chosen item, so the person does not repeat them.
        let said = known.filter { slot, value in
            if saysOnce { return remembered[Services.memoryKey(slot, of: frame.service, for: intent)] != value }
            let key = Services.memoryKey(slot, of: frame.service)
            return !(intent.isTransactional && intent.required.contains(slot) && chosen[key] == value)
        }
        open = OpenRequest(id: "\(session)-\(requests)", service: frame.service, intent: intent, said: known)
        return .requested(
            IntentRequest(
                id: "\(session)-\(requests)", intent: Identifier(Services.intent(intent.name, of: frame.service)),
                parameters: Self.parameters(said)))
    }

    /// Records the values that the pipeline remembers from a request.
    private mutating func remember(_ request: OpenRequest) {
        for (slot, value) in request.said {
            remembered[Services.memoryKey(slot, of: request.service, for: request.intent)] = value
        }
    }

    /// Accepts the last offer.
    private mutating func select(_ frame: Dialogue.Frame) -> SessionEvent? {
        guard let choice, choice.service == frame.service, let item = meant(choice, frame) else { return nil }
        self.choice = nil
        for (slot, value) in item.value { chosen[Services.memoryKey(slot, of: choice.service)] = value }
        if saysOnce {
            let needed =
                services.all.first { $0.name == choice.service }?.intents.filter(\.isTransactional).flatMap(\.required)
                ?? []
            for (slot, value) in item.value where needed.contains(slot) {
                remembered[Services.memoryKey(slot, of: choice.service)] = value
            }
        }
        return .answered(Answer(prompt: choice.prompt, action: .accept, option: item.id))
    }

    /// The item that matches the last offer best.
    private func meant(_ choice: Choice, _ frame: Dialogue.Frame) -> (id: String, value: [String: String])? {
        var offered: [String: String] = [:]
        for index in dialogue.turns.indices.prefix(turn).reversed() {
            if let frame = dialogue.frame(index, of: choice.service), frame.does("OFFER") {
                offered = frame.values(of: "OFFER")
                break
            }
        }
        func fit(_ item: [String: String]) -> Int { offered.count { item[$0.key] == $0.value } }
        return choice.items.max { fit($0.value) < fit($1.value) }
    }

    private mutating func decline() -> SessionEvent? {
        guard let choice else { return nil }
        self.choice = nil
        return .answered(Answer(prompt: choice.prompt, action: .decline))
    }

    /// Handles a result.
    ///
    /// - Returns: The person's events in reply.
    mutating func handle(_ result: ReceivedResult) -> [SessionEvent] {
        switch result.type {
        case .promptIssued where result.request == open?.id:
            guard let prompt = result.prompt else { return [] }
            if result.data["items"]?.bool == true { return found(prompt, result.data) }
            return answer(prompt, result).map { [.answered($0)] } ?? []
        case .completed:
            ended += 1
            guard result.request == open?.id else { return [] }
            if result.status != .success, result.status != .failure {
                surprises.append("\(result.request ?? "") ended as \(result.data["status"]?.string ?? "")")
            }
            if saysOnce, let open, result.status == .success || result.status == .failure { remember(open) }
            open = nil
            return playTurns()
        case .rejected:
            surprises.append("rejected: \(result.data["message"]?.string ?? "")")
            guard let id = open?.id, result.data["event"]?.identifier == id else { return [] }
            ended += 1
            open = nil
            return playTurns()
        default: return []
        }
    }

    private mutating func found(_ prompt: Identifier, _ data: JSONView) -> [SessionEvent] {
        guard let request = open else { return [] }
        tally.choices += 1
        let items = (data["options"]?.elements ?? []).map { option in
            let members = option["value"]?.members ?? []
            let value = Dictionary(members.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { $1 })
            return (id: option["id"]?.string ?? "", value: value)
        }
        choice = Choice(request: request.id, service: request.service, prompt: prompt, items: items)
        open = nil
        return playTurns()
    }

    private mutating func answer(_ prompt: Identifier, _ result: ReceivedResult) -> Answer? {
        tally.prompts += 1
        switch result.promptKind {
        case .confirmIntent: return answerConfirmation(prompt)
        case .confirmValue:
            return answerValue(prompt, result.data["parameter"]?.string ?? "", instead: result.data["value"]?.string)
        default: return answerValue(prompt, result.data["parameter"]?.string ?? "", instead: nil)
        }
    }

    /// Answers with a value, together with the other values of the same turn.
    ///
    /// - Parameter proposed: The value that the person is asked to confirm, if any.
    private mutating func answerValue(_ prompt: Identifier, _ parameter: String, instead proposed: String?) -> Answer {
        guard let request = open else { return Answer(prompt: prompt, action: .cancel) }
        if request.said[parameter] != nil { tally.needless += 1 }
        let limit = dialogue.calls.first { $0.turn >= turn }?.turn ?? dialogue.turns.count
        for index in max(0, turn - 1)..<max(turn, limit) where dialogue.turns[index].speaker == .user {
            guard let values = dialogue.frame(index, of: request.service)?.slotValues, let value = values[parameter]
            else { continue }
            turn = index + 1
            let more = values.filter {
                $0.key != parameter && request.intent.parameters.contains($0.key) && request.said[$0.key] != $0.value
            }
            open?.said[parameter] = value
            open?.said.merge(more) { $1 }
            return Answer(
                prompt: prompt, action: .accept, value: proposed == value ? nil : .string(value),
                parameters: Self.parameters(more))
        }
        // The recorded assistant never learned this value.
        if request.said[parameter] == nil { tally.needless += 1 }
        return Answer(prompt: prompt, action: .decline)
    }

    /// Accepts or declines, as the person did in the recording.
    private mutating func answerConfirmation(_ prompt: Identifier) -> Answer {
        guard let request = open else { return Answer(prompt: prompt, action: .cancel) }
        guard let asked = nextConfirmation(request.service), let frame = dialogue.frame(asked + 1, of: request.service)
        else {
            tally.needless += 1
            return Answer(prompt: prompt, action: .accept)
        }
        turn = asked + 2
        let changes = frame.values(of: "INFORM").filter { request.intent.parameters.contains($0.key) }
        open?.said.merge(changes) { $1 }
        return Answer(
            prompt: prompt, action: frame.does("AFFIRM") ? .accept : .decline, parameters: Self.parameters(changes))
    }

    /// The turn in which the recorded assistant asked for confirmation, or offered an alternative after a failure.
    private func nextConfirmation(_ service: String) -> Int? {
        guard turn < dialogue.turns.count else { return nil }
        for index in turn..<dialogue.turns.count - 1 {
            guard let frame = dialogue.frame(index, of: service), dialogue.turns[index].speaker == .system else {
                continue
            }
            if frame.does("CONFIRM") || (frame.does("NOTIFY_FAILURE") && frame.does("OFFER")) { return index }
            if frame.call != nil { return nil }
        }
        return nil
    }

    private static func parameters(_ values: [String: String]) -> [ParameterState] {
        values.sorted { $0.key < $1.key }.map { ParameterState(name: $0.key, value: .string($0.value)) }
    }
}
