import Conversation
import IntentEvents
import IntentModel

/// Simulates the persons who make the requests of a file, and records how the requests end.
struct Play {
    struct Ending {
        var status: Completion.Status
        var turns: Int
        var duration: Duration
    }

    private struct Player {
        var person: ScriptedPerson
        var started: ContinuousClock.Instant
    }

    private var waiting: ArraySlice<RequestFile.Line>
    private var people: [Identifier: Player] = [:]
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
        people[line.request.id] = Player(person: line.person, started: .now)
        return line
    }

    /// Returns the events that the person sends in reply to a result; `nil` if the result is of another request.
    mutating func react(to result: ReceivedResult) -> [SessionEvent]? {
        guard let request = result.request ?? result.data["event"]?.identifier, people[request] != nil else {
            return nil
        }
        if let status = result.status, let player = people[request] {
            endings[request, default: []].append(
                Ending(
                    status: status, turns: result.data["turns"]?.int ?? 0, duration: player.started.duration(to: .now)))
        }
        return people[request]?.person.reply(to: result)
    }
}
