/// The faults for the next written records, and for the next reads of committed offsets.
struct FaultPlan: Sendable {
    enum Fault: Sendable {
        /// The record is written, and its delivery has no offset.
        case acknowledgementLost
        /// The record is not written.
        case refused(LogError)
    }

    private struct Entry: Sendable {
        var fault: Fault
        var topic: String?
        var left: Int
    }

    private var entries: [Entry] = []
    /// The errors of the next reads of committed offsets.
    var committed: [LogError] = []

    mutating func add(_ fault: Fault, times: Int, topic: String?) {
        entries.append(Entry(fault: fault, topic: topic, left: times))
    }

    /// The fault for the next record of this topic, if there is one.
    mutating func next(for topic: String) -> Fault? {
        guard let index = entries.firstIndex(where: { $0.left > 0 && ($0.topic ?? topic) == topic }) else { return nil }
        entries[index].left -= 1
        let fault = entries[index].fault
        entries.removeAll { $0.left <= 0 }
        return fault
    }
}
