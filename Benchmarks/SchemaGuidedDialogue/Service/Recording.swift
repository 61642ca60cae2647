import IntentKit

/// The recorded replies of one dialogue's services, played back in order.
struct Recording: Sendable {
    /// The calls that have arrived, in order.
    private(set) var made: [ServiceCall] = []
    private let dialogue: Dialogue
    private let expected: [Dialogue.Call]
    private let services: Services
    /// Replies by idempotency key. A repeated call gets the same reply and does not count as another call.
    private var answers: [String: JSON] = [:]
    /// The number of recorded confirmations before the next call that have been played.
    private var confirmations = 0

    init(_ dialogue: Dialogue, _ services: Services) {
        self.dialogue = dialogue
        self.services = services
        expected = dialogue.calls
    }

    /// Replies `ready`. The reply proposes the values of the recorded assistant if the person agreed to them in the
    /// recording.
    mutating func confirm(_ intent: String, _ parameters: [String: String]) -> JSON {
        guard let (service, schema) = services.find(intent), made.indices.upperBound < expected.count else {
            return Self.answer("ready")
        }
        let next = expected[made.count]
        let begin = made.isEmpty ? 0 : expected[made.count - 1].turn + 1
        let asked = (begin..<next.turn).filter { dialogue.frame($0, of: service.name)?.does("CONFIRM") == true }
        guard next.service == service.name, next.call.method == schema.name, confirmations < asked.count else {
            return Self.answer("ready")
        }
        let turn = asked[confirmations]
        confirmations += 1
        guard let frame = dialogue.frame(turn, of: service.name),
            dialogue.frame(turn + 1, of: service.name)?.does("AFFIRM") == true
        else {
            return Self.answer("ready")
        }
        return Self.answer("ready", proposed: Self.others(frame.values(of: "CONFIRM"), than: parameters, of: schema))
    }

    /// Replies to the next call with its recorded results.
    mutating func handle(_ intent: String, _ parameters: [String: String], key: String) -> JSON {
        if let answer = answers[key] { return answer }
        let answer = handle(intent, parameters)
        answers[key] = answer
        return answer
    }

    private mutating func handle(_ intent: String, _ parameters: [String: String]) -> JSON {
        guard let (service, schema) = services.find(intent) else { return Self.answer("failure") }
        let number = made.count
        made.append(ServiceCall(method: schema.name, parameters: parameters))
        confirmations = 0
        guard number < expected.count, expected[number].service == service.name,
            expected[number].call.method == schema.name,
            let frame = dialogue.frame(expected[number].turn, of: service.name)
        else { return Self.answer("success") }
        let results = expected[number].results
        if frame.does("NOTIFY_FAILURE") {
            return Self.answer(
                "failure", proposed: Self.others(frame.values(of: "OFFER"), than: parameters, of: schema))
        }
        return Self.answer("success", found: results, isTransactional: schema.isTransactional)
    }

    /// The recorded assistant's values that differ from the person's.
    private static func others(
        _ values: [String: String], than parameters: [String: String], of intent: ServiceSchema.Intent
    ) -> [String: String] {
        values.filter { slot, value in
            intent.parameters.contains(slot) && parameters[slot] != nil && parameters[slot] != value
        }
    }

    private static func answer(
        _ code: String, proposed: [String: String] = [:], found: [[String: String]] = [], isTransactional: Bool = true
    ) -> JSON {
        JSON.make { writer in
            writer.beginObject()
            writer.member("code", code)
            if !proposed.isEmpty { writer.member("proposed", object(proposed)) }
            if isTransactional, let result = found.first { writer.member("response", object(result)) }
            if !isTransactional, !found.isEmpty {
                writer.member(
                    "items",
                    .array(
                        found.enumerated().map { index, item in
                            let title = item.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(
                                separator: ", ")
                            return .object(["id": .string("\(index)"), "title": .string(title), "value": object(item)])
                        }))
            }
            writer.endObject()
        }
    }

    private static func object(_ values: [String: String]) -> JSON {
        JSON.make { writer in
            writer.beginObject()
            for (name, value) in values.sorted(by: { $0.key < $1.key }) { writer.member(named: name, .string(value)) }
            writer.endObject()
        }
    }
}
