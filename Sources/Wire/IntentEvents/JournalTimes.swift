import Conversation
import IntentModel

/// Requests by their ids, in their own order, each with its time.
struct JournalTimes: JournalValue, Equatable {
    var requests: [OnceRequest]

    init(_ requests: [OnceRequest]) { self.requests = requests }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        for request in requests {
            writer.name(named: request.id.text)
            request.until.write(to: &writer)
        }
        writer.endObject()
    }

    init(journal view: JSONView) throws(JournalFault) {
        guard view.kind == .object else { throw JournalFault("is no object") }
        requests = []
        for (name, value) in view.members {
            do { requests.append(OnceRequest(id: Identifier(name), until: try Instant(journal: value))) } catch {
                throw error.within(name)
            }
        }
    }
}

extension JournalCoder where Self: ~Copyable {
    /// Left out if there are none.
    mutating func once(_ requests: inout [OnceRequest]) throws(Failure) {
        if requests.isEmpty, !Self.isReading { return }
        var times = JournalTimes(requests)
        try field("once", &times, default: JournalTimes([]))
        if Self.isReading { requests = times.requests }
    }
}
