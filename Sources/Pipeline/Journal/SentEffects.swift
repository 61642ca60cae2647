import Conversation
import DequeModule
import IntentModel

/// Effects that are sent and not acknowledged.
struct SentEffects: Sendable, Hashable {
    /// The effects of one journal record.
    struct Group: Sendable, Hashable {
        /// The offset of the record.
        var offset: Int64
        /// Its results are at this offset of the results or later.
        var resultsFrom: Int64
        var session: Identifier
        /// The effects; empty once all are acknowledged.
        var effects: [JournalEffect]
        /// Bytes of the record.
        var bytes: Int
        fileprivate var number: UInt64 = 0
        fileprivate var remaining = 0

        init(offset: Int64, resultsFrom: Int64, session: Identifier, effects: [JournalEffect], bytes: Int) {
            (self.offset, self.resultsFrom, self.session, self.bytes) = (offset, resultsFrom, session, bytes)
            (self.effects, remaining) = (effects, effects.count)
        }
    }

    /// A result that was sent.
    struct Result: Sendable, Hashable {
        var session: Identifier
        var sequence: Int
    }

    /// The groups in the order of their records. The first one is unfinished; finished ones between unfinished ones are removed from time to time.
    private var groups = Deque<Group>()
    /// The number of the next group.
    private var next: UInt64 = 0
    /// The number of groups of which an effect is not acknowledged.
    private(set) var count = 0
    /// Results in the order in which they were sent.
    private var results = Deque<Result>()
    /// The offset after the last acknowledged result.
    var resultsNext: Int64 = 0

    /// The offset of the oldest record of which an effect is not acknowledged.
    var firstOffset: Int64? { groups.first?.offset }
    /// Where in the results those of this record begin.
    var firstResults: Int64? { groups.first?.resultsFrom }

    /// Opens a group, which has at least one effect.
    ///
    /// - Returns: The group's number.
    mutating func open(_ group: Group) -> UInt64 {
        var group = group
        group.number = next
        next += 1
        count += 1
        groups.append(group)
        return group.number
    }

    mutating func sent(result sequence: Int, of session: Identifier) {
        results.append(Result(session: session, sequence: sequence))
    }

    /// The oldest result that is not acknowledged now is.
    mutating func acknowledgedResult(at offset: Int64?) -> Result? {
        if let offset { resultsNext = offset + 1 }
        return results.popFirst()
    }

    /// The work at this place that is not acknowledged.
    func work(at place: EffectPlace) -> (session: Identifier, work: Work)? {
        guard place.part < EffectPlace.lastPart, let index = index(of: place.group),
            groups[index].effects.indices.contains(place.part),
            case .work(let work) = groups[index].effects[place.part]
        else { return nil }
        return (groups[index].session, work)
    }

    /// One effect of a group is acknowledged.
    ///
    /// - Returns: The bytes of the group if all of its effects are acknowledged now; otherwise 0.
    mutating func acknowledged(_ group: UInt64) -> Int {
        guard let index = index(of: group), groups[index].remaining > 0 else { return 0 }
        groups[index].remaining -= 1
        guard groups[index].remaining == 0 else { return 0 }
        let bytes = groups[index].bytes
        count -= 1
        if index == 0 {
            groups.removeFirst()
            while groups.first?.remaining == 0 { groups.removeFirst() }
        } else {
            groups[index].effects = []
            if groups.count > 2 * count + 1_024 { groups.removeAll { $0.remaining == 0 } }
        }
        return bytes
    }

    /// - Parameter group: A group's number, of which the lower ``EffectPlace/groupBits`` bits count.
    private func index(of group: UInt64) -> Int? {
        guard let first = groups.first?.number else { return nil }
        let distance = (group &- first) & EffectPlace.groupMask
        if distance < UInt64(groups.count), groups[Int(distance)].number == first + distance { return Int(distance) }
        // Finished groups before it were removed.
        var (low, high) = (0, Int(min(distance, UInt64(groups.count))))
        while low < high {
            let middle = (low + high) / 2
            if groups[middle].number < first + distance { low = middle + 1 } else { high = middle }
        }
        return low < groups.count && groups[low].number == first + distance ? low : nil
    }
}

/// The place of an effect among those that are sent: the number of its group, and which of the group's effects it is. It goes back with the acknowledgement as
/// one number of ``bits`` bits.
package struct EffectPlace: Sendable, Hashable {
    package static let bits = 40
    static let partBits = 5
    static let groupMask: UInt64 = 1 << UInt64(bits - partBits) - 1
    /// The place of every effect that has no room for its own. Work is never found there, and falls back to its time limit.
    static let lastPart = 1 << partBits - 1

    var group: UInt64
    var part: Int

    init(group: UInt64, part: Int) { (self.group, self.part) = (group, min(part, Self.lastPart)) }

    package init(_ number: UInt64) {
        group = number >> UInt64(Self.partBits) & Self.groupMask
        part = Int(number & UInt64(Self.lastPart))
    }

    package var number: UInt64 { (group & Self.groupMask) << UInt64(Self.partBits) | UInt64(part) }
}
