import DequeModule
package import RecordLog

/// Which records of one partition are finished. Records finish in any order; the position to commit is the oldest unfinished one, with the finished ones
/// above it as a note, so that a restart repeats only what was really in flight.
///
/// It keeps the unfinished records alone, so it is as small as the work in flight, however long one record takes and however many finish meanwhile.
package struct OffsetTracker {
    /// Taken and not finished, in order.
    private var unfinished = Deque<Int64>()
    /// The offset after the last record taken.
    private(set) var next: Int64
    /// Finished before they are taken: by the previous owner of the partition, according to its note, or by a handler that went on while the partition
    /// was away. In order, without overlaps; those that were passed are dropped.
    private var finishedBefore: Deque<ClosedRange<Int64>>
    private var lastCommitted: CommittedOffset?

    /// - Parameter committed: what the group last committed, if anything.
    package init(_ committed: CommittedOffset?) {
        next = committed?.offset ?? 0
        finishedBefore = committed.map { Self.read($0.metadata, base: $0.offset) } ?? []
        lastCommitted = committed
    }

    /// The oldest record that is not finished.
    var position: Int64 { unfinished.first ?? next }  // rule: unfinishedWorkIsNotCommitted

    /// Records taken and not finished.
    var inFlight: Int { unfinished.count }

    /// Takes a record; `false` if it was finished before, and is not to be worked on again.
    package mutating func take(_ offset: Int64) -> Bool {
        next = max(next, offset + 1)
        while let first = finishedBefore.first, first.upperBound < offset { finishedBefore.removeFirst() }
        if let first = finishedBefore.first, first.contains(offset) { return false }
        let last = unfinished.last ?? -1
        if last < offset { unfinished.append(offset) } else { unfinished.insert(offset, at: index(of: offset)) }
        return true
    }

    /// The offsets before this one have no further records.
    mutating func skip(to offset: Int64) { next = max(next, offset) }

    mutating func finish(_ offset: Int64) {
        if offset >= next { return finishEarly(offset) }
        if unfinished.first == offset {
            unfinished.removeFirst()
            return
        }
        let index = index(of: offset)
        if index < unfinished.count, unfinished[index] == offset { unfinished.remove(at: index) }
    }

    /// A record is finished that this assignment of the partition has not brought yet.
    private mutating func finishEarly(_ offset: Int64) {
        let index = finishedBefore.firstIndex { $0.upperBound >= offset } ?? finishedBefore.count
        if index < finishedBefore.count, finishedBefore[index].contains(offset) { return }
        finishedBefore.insert(offset...offset, at: index)
    }

    /// Where the offset is among the unfinished ones, or would be.
    private func index(of offset: Int64) -> Int {
        var low = 0
        var high = unfinished.count
        while low < high {
            let middle = (low + high) / 2
            if unfinished[middle] < offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// What to commit now; `nil` if that has been committed.
    mutating func commit() -> CommittedOffset? {
        let offset = CommittedOffset(offset: position, metadata: note())
        guard offset != lastCommitted, offset != CommittedOffset(offset: 0) else { return nil }
        lastCommitted = offset
        return offset
    }

    /// The commit was refused, so its position has to be committed again.
    mutating func commitFailed() { lastCommitted = nil }

    /// `true` if the last commit says that the record is finished. A note that was cut may leave the record out.
    func hasCommitted(_ offset: Int64) -> Bool {
        guard let lastCommitted else { return false }
        return offset < lastCommitted.offset
            || Self.read(lastCommitted.metadata, base: lastCommitted.offset).contains { $0.contains(offset) }
    }

    /// The finished records above the position as ranges of distances from it, such as `done=1-3,7`; cut to 3,000 bytes, since brokers take 4,096.
    /// A range may contain offsets that no record has.
    private func note() -> String {
        guard var last = unfinished.first else { return "" }
        let base = last
        var note = "done="
        func append(upTo end: Int64) {
            let (from, to) = (last + 1 - base, end - 1 - base)
            guard from <= to else { return }
            if note.utf8.count > 5 { note += "," }
            note += from == to ? "\(from)" : "\(from)-\(to)"
        }
        for offset in unfinished.dropFirst() {
            append(upTo: offset)
            last = offset
            if note.utf8.count >= 3_000 { return note }
        }
        append(upTo: next)
        return note.utf8.count > 5 ? note : ""
    }

    private static func read(_ note: String, base: Int64) -> Deque<ClosedRange<Int64>> {
        guard note.hasPrefix("done=") else { return [] }
        let ranges = note.dropFirst(5).split(separator: ",").compactMap { part -> ClosedRange<Int64>? in
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { Int64($0) }
            guard ends.count <= 2, let from = ends[0], let to = ends[ends.count - 1], 0 <= from, from <= to else {
                return nil
            }
            let (last, isBeyond) = base.addingReportingOverflow(to)
            return isBeyond ? nil : base + from...last
        }
        var merged: Deque<ClosedRange<Int64>> = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = merged.last, range.lowerBound <= last.upperBound {
                merged[merged.count - 1] = last.lowerBound...max(last.upperBound, range.upperBound)
            } else {
                merged.append(range)
            }
        }
        return merged
    }
}
