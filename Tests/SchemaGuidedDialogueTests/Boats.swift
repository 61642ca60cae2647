import Conversation
import IntentEvents
import IntentModel
import RecordLog

@testable import sgd_replay

/// An invented service for these tests, which finds boats and hires them out.
enum Boats {
    static let service = ServiceSchema(
        name: "Boats", description: "Boats to hire",
        slots: [
            slot("boat", "The name of the boat"), slot("harbour", "Where it lies"), slot("day", "When it sails"),
            slot("hull", "What it is made of", values: ["wood", "steel"]),
            slot("crew", "How many sail it", values: ["1", "2", "3"]), slot("wish", "Whatever else is wished"),
        ],
        intents: [
            ServiceSchema.Intent(
                name: "FindBoat", description: "Look for a boat", isTransactional: false, required: ["harbour"],
                optional: ["hull": "wood"]),
            ServiceSchema.Intent(
                name: "HireBoat", description: "Hire a boat", isTransactional: true,
                required: ["boat", "harbour", "day"], optional: ["crew": "2", "wish": "dontcare"]),
        ])

    static let services = Services([service])

    /// Returns the boats of these names: `gull` or `tern`, or one with another value such as `tern+crew=2`.
    static func items(_ names: some StringProtocol) -> [[String: String]] {
        names.split(separator: " ").map { name in
            let hull = name.hasPrefix("gull") ? "boat=Gull hull=wood" : "boat=Tern hull=steel"
            return values("\(hull) harbour=Veere \(String(name.dropFirst(4)).replacing("+", with: " "))")
        }
    }

    /// Reads values such as `boat=Gull day=Monday`.
    static func values(_ text: some StringProtocol) -> [String: String] {
        let pairs = text.split(separator: " ").map { pair in
            let name = pair.prefix { $0 != "=" }
            return (String(name), String(pair.dropFirst(name.count + 1)))
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Reads a name with values, such as `HireBoat boat=Gull day=Monday`.
    static func call(_ text: some StringProtocol) -> ServiceCall {
        let name = text.prefix { $0 != " " }
        return ServiceCall(method: String(name), parameters: values(text.dropFirst(name.count)))
    }

    private static func slot(_ name: String, _ description: String, values: [String] = []) -> ServiceSchema.Slot {
        ServiceSchema.Slot(name: name, description: description, isCategorical: !values.isEmpty, possibleValues: values)
    }
}

extension Dialogue {
    /// Reads a dialogue with the boats service, with a turn in each line.
    ///
    /// The turn `user NEGATE, INFORM day=Monday: HireBoat boat=Gull day=Monday` has two acts, then the active intent and
    /// the values given so far. The turn `system OFFER boat=Gull: FindBoat harbour=Veere -> gull tern` has an act, then
    /// the assistant's call and the items found.
    init(_ turns: String) {
        self.init(id: "sailing", services: ["Boats"], turns: turns.split(separator: "\n").map { Turn($0) })
    }
}

extension Dialogue.Turn {
    fileprivate init(_ line: Substring) {
        let parts = line.split(separator: ":").map { $0.drop { $0 == " " } }
        let speaker = parts[0].prefix { $0 != " " }
        var frame = Dialogue.Frame(service: "Boats", actions: [])
        frame.actions = parts[0].dropFirst(speaker.count).split(separator: ",").map { text in
            let act = Boats.call(text.drop { $0 == " " })
            let value = act.parameters.first
            return Dialogue.Action(act: act.method, slot: value?.key, values: value.map { [$0.value] })
        }
        if speaker == "user" {
            let intent = Boats.call(parts.count > 1 ? parts[1] : "NONE")
            (frame.activeIntent, frame.slotValues) = (intent.method, intent.parameters)
        } else if parts.count > 1 {
            let call = parts[1].split(separator: "->", omittingEmptySubsequences: false)
            (frame.call, frame.results) = (Boats.call(call[0]), Boats.items(call[1]))
        }
        self.init(speaker: speaker == "user" ? .user : .system, frames: [frame])
    }
}

/// A recorded person in the session `me`, as a script: results of the pipeline in words, and the replies as lines.
struct Sailor {
    private var person: RecordedPerson

    /// - Parameter turns: A dialogue with the boats service.
    init(_ turns: String) { person = RecordedPerson(Dialogue(turns), session: "me", Boats.services) }

    /// Passes a result to the person in its wire form, and returns the replies.
    ///
    /// - Parameter words: A prompt such as `value day`, `confirm`, `confirm day=Monday` or `offer gull tern`, the status
    ///   of a completion, or `rejected`. With ` of 2`, the result is about the second request. Also `begin`, which lets
    ///   the person begin; `counts` for the number of prompts, needless prompts and choices; and `over`, for `yes` or
    ///   `no`, and the surprises.
    mutating func hear(_ words: String) throws -> String {
        let (parts, tally) = (words.split(separator: " of "), person.tally)
        let name = parts[0].prefix { $0 != " " }
        let rest = parts[0].dropFirst(name.count + 1)
        switch name {
        case "begin": return Self.line(person.playTurns())
        case "counts": return "\(tally.prompts) \(tally.needless) \(tally.choices)"
        case "over": return ([person.isOver ? "yes" : "no"] + person.surprises).joined(separator: ", ")
        default:
            let request = Identifier("me-\(parts.count > 1 ? parts[1] : "1")")
            let content = SessionResult(sequence: 1, request: request, body: Self.body(name, rest))
            let result = EncodedResult(content, session: "me", event: nil, at: Instant(milliseconds: 0))
            let record = ConsumedRecord(
                topic: "intents.results", partition: 0, offset: 0, timestamp: 0, key: Array("me".utf8),
                value: result.data.bytes, headers: [RecordHeader("ce_type", result.type.rawValue)])
            return Self.line(person.handle(try ReceivedResult(record)))
        }
    }

    private static func body(_ name: Substring, _ rest: Substring) -> SessionResult.Body {
        var prompt = Prompt(id: "p", intent: "Boats", kind: .value, dialog: "?", expires: Instant(milliseconds: 1_000))
        switch name {
        case "value": prompt.parameter = String(rest)
        case "confirm":
            let value = Boats.values(rest).first
            prompt.kind = value == nil ? .confirmIntent : .confirmValue
            (prompt.parameter, prompt.value) = (value?.key, value.map { JSON.string($0.value) })
        case "offer":
            prompt.kind = .choice
            prompt.isAboutItems = true
            prompt.options = Boats.items(rest).enumerated().map { place, item in
                let value = JSON.make { writer in
                    writer.beginObject()
                    for (name, value) in item.sorted(by: { $0.key < $1.key }) {
                        writer.member(named: name, .string(value))
                    }
                    writer.endObject()
                }
                return ParameterOption(id: "\(place)", title: item["boat"] ?? "", value: value)
            }
        case "rejected": return .rejected(Rejection(.busy, "come back", event: "me-2"))
        default:
            let status = Completion.Status(rawValue: String(name)) ?? .unsupported
            let code: ResponseCode = status == .success ? .success : .failure
            return .completed(Completion(intent: "Boats", status: status, code: code, parameters: [], turns: 0))
        }
        return .prompted(prompt)
    }

    /// The events as one line, such as `decline, me-2 HireBoat day=Monday`. An event with any other member is printed
    /// whole.
    private static func line(_ events: [SessionEvent]) -> String {
        events.map { event in
            switch event {
            case .requested(let request)
            where request.intent.text.hasPrefix("Boats.")
                && request
                    == IntentRequest(id: request.id, intent: request.intent, parameters: plain(request.parameters)):
                "\(request.id) \(request.intent.text.dropFirst("Boats.".count))" + line(request.parameters)
            case .answered(let answer)
            where answer
                == Answer(
                    prompt: "p", action: answer.action, value: answer.value?.view.string.map { JSON.string($0) },
                    option: answer.option, parameters: plain(answer.parameters)):
                "\(answer.action)" + (answer.option.map { " #\($0)" } ?? "")
                    + (answer.value?.view.string.map { " \($0)" } ?? "") + line(answer.parameters)
            default: "\(event)"
            }
        }.joined(separator: ", ")
    }

    /// Texts that were given, without any other member.
    private static func plain(_ states: [ParameterState]) -> [ParameterState] {
        states.map { ParameterState(name: $0.name, value: .string($0.value?.view.string ?? "")) }
    }

    private static func line(_ states: [ParameterState]) -> String {
        states.map { " \($0.name)=\($0.value?.view.string ?? "")" }.joined()
    }
}
