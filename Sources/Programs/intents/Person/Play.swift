import Conversation
import IntentEvents
import IntentKit
import IntentModel

/// Simulates the persons who make the requests of a file, and records how the requests end.
struct Play {
    struct Ending {
        var status: Completion.Status
        var turns: Int
        var duration: Duration
    }

    private struct Person {
        var line: RequestFile.Line
        var started: ContinuousClock.Instant
        var answers: [String: [JSON]]
    }

    private var waiting: ArraySlice<RequestFile.Line>
    private var people: [Identifier: Person] = [:]
    private(set) var endings: [Identifier: [Ending]] = [:]
    let total: Int

    init(lines: [RequestFile.Line]) {
        total = lines.count
        waiting = lines[...]
    }

    var open: Int { people.count - endings.count }
    var isOver: Bool { waiting.isEmpty && open == 0 }
    var missing: Int { total - endings.count }
    var repeated: Int { endings.values.count { $0.count > 1 } }

    /// Removes and returns the next request to send.
    mutating func next() -> RequestFile.Line? {
        guard let line = waiting.popFirst() else { return nil }
        var answers: [String: [JSON]] = [:]
        for (name, value) in line.members["answers"]?.members ?? [] {
            answers[name] = value.kind == .array ? value.elements.map(\.json) : [value.json]
        }
        people[line.request.id] = Person(line: line, started: .now, answers: answers)
        return line
    }

    /// Returns the events that the person sends in reply to a result; `nil` if the result is of another request.
    mutating func react(to result: ReceivedResult) -> [SessionEvent]? {
        guard let request = result.request ?? result.data["event"]?.identifier, people[request] != nil else {
            return nil
        }
        switch result.type {
        case .promptIssued: return [answer(result, request)]
        case .handoffOffered: return handoff(result, request)
        case .completed:
            guard let status = result.status, let person = people[request] else { return [] }
            endings[request, default: []].append(
                Ending(
                    status: status, turns: result.data["turns"]?.int ?? 0, duration: person.started.duration(to: .now)))
            return []
        default: return []
        }
    }

    private mutating func answer(_ result: ReceivedResult, _ request: Identifier) -> SessionEvent {
        let prompt = result.prompt ?? ""
        let kind = result.promptKind ?? .value
        let name = kind == .confirmIntent || kind == .signIn ? kind.rawValue : result.data["parameter"]?.string ?? ""
        guard let answer = nextAnswer(name, request) else { return .answered(Answer(prompt: prompt, action: .cancel)) }
        switch kind {
        case .confirmIntent, .confirmValue, .signIn:
            switch answer.view.string {
            case "yes": return .answered(Answer(prompt: prompt, action: .accept))
            case "no": return .answered(Answer(prompt: prompt, action: .decline))
            default: return .answered(Answer(prompt: prompt, action: .accept, value: answer))
            }
        case .choice, .value:
            return .answered(Answer(prompt: prompt, action: .accept, value: answer))
        }
    }

    /// Returns the next answer for this name. A single answer is used for every prompt; the elements of a list are used
    /// once each.
    private mutating func nextAnswer(_ name: String, _ request: Identifier) -> JSON? {
        guard let answers = people[request]?.answers[name], let answer = answers.first else { return nil }
        if people[request]?.line.members["answers"]?[name]?.kind == .array {
            people[request]?.answers[name]?.removeFirst()
        }
        return answer
    }

    private mutating func handoff(_ result: ReceivedResult, _ request: Identifier) -> [SessionEvent] {
        guard let handoff = result.offeredHandoff, result.data["mode"]?.string == Handoff.Mode.foreground.rawValue,
            // A failed request that can be repaired in the app is completed already.
            result.data["activity"]?["interaction"]?["code"]?.string == ResponseCode.continueInApp.rawValue
        else { return [] }
        guard nextAnswer("handoff", request)?.view.string == "complete" else { return [.cancelled(request: request)] }
        return [
            .handoffClaimed(handoff: handoff, claimant: "app"),
            .handoffCompleted(handoff: handoff, claimant: "app", response: IntentResponse(.success)),
        ]
    }
}
