public import Conversation
import DequeModule
public import IntentEvents
public import IntentModel

/// What the records of `intents.memory` say: what is remembered about each person.
///
/// Of two records of a key the one with the later time counts, whichever was written first: a coordinator that has taken a session over may write what another
/// one has written before. It is bounded: past its bytes, what was said the longest ago is left out.
public struct PersonMemories: Sendable {
    private struct Place: Sendable, Hashable {
        var principal: Principal
        var key: String
        var time: Instant
    }

    private var persons: [Principal: [String: RememberedValue]] = [:]
    /// What was taken, oldest first, also what was replaced since.
    private var taken = Deque<Place>()
    private var count = 0
    private let maximumBytes: Int
    /// About what it takes.
    public private(set) var bytes = 0
    /// How many values had no room.
    public private(set) var dropped = 0

    /// How long a tombstone is kept, so that no earlier value takes its place: longer than what an earlier owner of a session has journalled takes to be written.
    private static let tombstoneAge: Duration = .seconds(86_400)
    /// What an entry takes beside its own bytes, roughly.
    private static let overhead = 250

    /// - Parameter maximumBytes: how much of memory it may take, by estimate.
    public init(maximumBytes: Int = 256 << 20) { self.maximumBytes = maximumBytes }

    /// How many values are remembered, and tombstones of such.
    public var values: Int { count }

    /// What is remembered under a key, or when it was forgotten; `nil` if nothing is known.
    public func value(_ key: String, of principal: Principal) -> RememberedValue? { persons[principal]?[key] }

    /// All that is remembered about a person, in the order of the keys.
    public func values(of principal: Principal) -> [RememberedValue] {
        (persons[principal] ?? [:]).values.filter { $0.value != nil }.sorted { $0.key < $1.key }
    }

    /// What is remembered about a person under these keys, and what of it was forgotten, in the order of the keys.
    public func values(_ keys: some Sequence<String>, of principal: Principal, at now: Instant) -> [RememberedValue] {
        guard let own = persons[principal] else { return [] }
        return Set(keys).sorted().compactMap { own[$0] }.filter { !$0.isOver(at: now) }
    }

    /// Takes a record.
    ///
    /// - Returns: whether it says something new.
    @discardableResult
    public mutating func take(_ record: MemoryRecord, at now: Instant) -> Bool {
        let (principal, value) = (record.principal, record.value)
        if let known = persons[principal]?[value.key], known.time > value.time || known == value { return false }
        if value.isOver(at: now) { return false }
        let place = Place(principal: principal, key: value.key, time: value.time)
        if let before = persons[principal, default: [:]].updateValue(value, forKey: value.key) {
            bytes -= Self.size(before, principal)
        } else {
            count += 1
        }
        bytes += Self.size(value, principal)
        taken.append(place)
        makeRoom(at: now)
        return true
    }

    private mutating func makeRoom(at now: Instant) {
        while let first = taken.first {
            guard let value = persons[first.principal]?[first.key], value.time == first.time else {
                taken.removeFirst()
                continue
            }
            let isOldTombstone = value.value == nil && value.time.duration(to: now) > Self.tombstoneAge
            guard isOldTombstone || bytes > maximumBytes else { break }
            if value.value != nil { dropped += 1 }
            taken.removeFirst()
            remove(first)
        }
        // What was replaced lies between those that were not.
        if taken.count > 2 * count + 1_000 {
            taken = Deque(taken.filter { persons[$0.principal]?[$0.key]?.time == $0.time })
        }
    }

    private mutating func remove(_ place: Place) {
        guard let value = persons[place.principal]?.removeValue(forKey: place.key) else { return }
        bytes -= Self.size(value, place.principal)
        count -= 1
        if persons[place.principal]?.isEmpty == true { persons[place.principal] = nil }
    }

    private static func size(_ value: RememberedValue, _ principal: Principal) -> Int { value.size + principal.id.utf8.count + overhead }
}

extension RememberedValue {
    /// Whether it was said so long ago that its topic may have deleted it. A tombstone never is: it deletes.
    func isOver(at now: Instant) -> Bool { value != nil && time.duration(to: now) > .milliseconds(Topics.memoryRetention) }
}
