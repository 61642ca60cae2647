import DequeModule
import RecordLog

/// Which records of one partition are finished. Records finish in any order; the position to commit is the oldest unfinished one, with the finished ones
/// above it as a note, so that a restart repeats only what was really in flight.
struct OffsetTracker {
    private var outstanding = Deque<(offset: Int64, isFinished: Bool)>()
    /// The offset after the last record taken.
    private(set) var next: Int64
    /// Finished by the previous owner of the partition, according to its note.
    private var finishedBefore: [ClosedRange<Int64>]
    private var lastCommitted: CommittedOffset?

    /// - Parameter committed: what the group last committed, if anything.
    init(_ committed: CommittedOffset?) {
        next = committed?.offset ?? 0
        finishedBefore = committed.map { Self.read($0.metadata, base: $0.offset) } ?? []
        lastCommitted = committed
    }

    /// The oldest record that is not finished.
    var position: Int64 { outstanding.first?.offset ?? next }

    /// Takes a record; `false` if it was finished before, and is not to be worked on again.
    mutating func take(_ offset: Int64) -> Bool {
        next = max(next, offset + 1)
        let isFinished = finishedBefore.contains { $0.contains(offset) }
        if !isFinished || !outstanding.isEmpty { outstanding.append((offset, isFinished)) }
        return !isFinished
    }

    mutating func finish(_ offset: Int64) {
        var low = 0
        var high = outstanding.count
        while low < high {
            let middle = (low + high) / 2
            if outstanding[middle].offset < offset { low = middle + 1 } else { high = middle }
        }
        guard low < outstanding.count, outstanding[low].offset == offset else { return }
        outstanding[low].isFinished = true
        while let first = outstanding.first, first.isFinished { outstanding.removeFirst() }
    }

    /// What to commit now; `nil` if that has been committed.
    mutating func commit() -> CommittedOffset? {
        let offset = CommittedOffset(offset: position, metadata: note())
        guard offset != lastCommitted, offset != CommittedOffset(offset: 0) else { return nil }
        lastCommitted = offset
        return offset
    }

    /// The finished records above the position as ranges of distances from it, such as `done=1-3,7`; cut to 3,000 bytes, since brokers take 4,096.
    private func note() -> String {
        var note = "done="
        let base = position
        var index = 0
        while index < outstanding.count, note.utf8.count < 3_000 {
            guard outstanding[index].isFinished else {
                index += 1
                continue
            }
            let from = outstanding[index].offset - base
            while index + 1 < outstanding.count, outstanding[index + 1].isFinished { index += 1 }
            let to = outstanding[index].offset - base
            if note.utf8.count > 5 { note += "," }
            note += from == to ? "\(from)" : "\(from)-\(to)"
            index += 1
        }
        return note.utf8.count > 5 ? note : ""
    }

    private static func read(_ note: String, base: Int64) -> [ClosedRange<Int64>] {
        guard note.hasPrefix("done=") else { return [] }
        return note.dropFirst(5).split(separator: ",").compactMap { part in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard ends.count <= 2, let from = ends[0], let to = ends[ends.count - 1], 0 <= from, from <= to else { return nil }
            let (last, isBeyond) = base.addingReportingOverflow(to)
            return isBeyond ? nil : base + from...last
        }
    }
}
