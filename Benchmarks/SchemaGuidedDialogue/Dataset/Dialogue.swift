/// A recorded conversation between a person and an assistant: one line of a dialogue file of the Schema-Guided Dialogue
/// dataset.
struct Dialogue: Decodable, Sendable {
    var id: String
    var services: [String]
    var turns: [Turn]

    enum CodingKeys: String, CodingKey {
        case id = "dialogue_id"
        case services, turns
    }

    struct Turn: Decodable, Sendable {
        enum Speaker: String, Decodable, Sendable {
            case user = "USER"
            case system = "SYSTEM"
        }

        var speaker: Speaker
        var frames: [Frame]
    }

    /// The part of a turn that is about one service.
    struct Frame: Decodable, Sendable {
        var service: String
        var actions: [Action]
        /// In the person's turns: the person's intent for the service; `NONE` without an intent.
        var activeIntent: String?
        /// In the person's turns: all values that the person has given so far for the service, by slot.
        var slotValues: [String: String]?
        /// In the assistant's turns: the assistant's call to the service in this turn.
        var call: ServiceCall?
        /// The service's results.
        var results: [[String: String]]?

        enum CodingKeys: String, CodingKey {
            case service, actions
            case activeIntent = "active_intent"
            case slotValues = "slot_values"
            case call = "service_call"
            case results = "service_results"
        }
    }

    struct Action: Decodable, Sendable {
        var act: String
        var slot: String?
        var values: [String]?
    }
}

/// A method of a service with its parameters.
struct ServiceCall: Decodable, Sendable, Hashable {
    var method: String
    var parameters: [String: String]
}

extension Dialogue.Frame {
    func does(_ act: String) -> Bool { actions.contains { $0.act == act } }

    /// The first value of each slot in the actions of an act.
    func values(of act: String) -> [String: String] {
        var values: [String: String] = [:]
        for action in actions where action.act == act {
            if let slot = action.slot, let value = action.values?.first { values[slot] = value }
        }
        return values
    }
}

extension Dialogue {
    /// A call that the recorded assistant made.
    struct Call: Sendable {
        var turn: Int
        var service: String
        var call: ServiceCall
        var results: [[String: String]]
    }

    /// The recorded calls, in order.
    var calls: [Call] {
        turns.indices.flatMap { index in
            turns[index].frames.compactMap { frame in
                frame.call.map { Call(turn: index, service: frame.service, call: $0, results: frame.results ?? []) }
            }
        }
    }

    func frame(_ turn: Int, of service: String) -> Frame? { turns[turn].frames.first { $0.service == service } }
}
