import IntentModel
import RecordLog

/// What a session is about, as far as its record says, also if the record can't be read as a whole. It has no values of parameters.
struct SessionGist: Sendable, Hashable, CustomStringConvertible {
    var request: Identifier?
    var intent: Identifier?
    var stage: String?
    var waiting: Int
    var results: Int

    /// `nil` if the value is no JSON object.
    init?(_ record: ConsumedRecord) {
        guard let value = record.value, let view = try? JSONView(parsing: value, limits: .journal), view.kind == .object
        else { return nil }
        let active = view["active"]
        request = active?["request"]?["id"]?.identifier
        intent = active?["request"]?["intent"]?.identifier
        stage = active?["stage"]?.string
        waiting = (view["queued"]?.elements.count ?? 0) + (view["suspended"]?.elements.count ?? 0)
        results = view["unacknowledged"]?.elements.count ?? 0
    }

    var description: String {
        let active = request.map {
            "its request '\($0)' (\(intent ?? "of an unknown intent")) is in the stage '\(stage ?? "")'"
        }
        return (active ?? "it has no active request")
            + ", \(waiting) more wait, and \(results) results may not have been sent"
    }
}
