public import Conversation
import DequeModule
public import IntentEvents
public import IntentModel

/// What the records of `intents.memory` say: what is remembered about each person. Of two records about a person the one with the later position counts, wherever they
/// are in the log. It is bounded: past its bytes, those are left out whose memory was changed the longest ago.
public struct PersonMemories: Sendable {
    private var persons: [Principal: RememberedPerson] = [:]
    /// Persons in the order in which their records came, also those that have another one since.
    private var order = Deque<(principal: Principal, position: MemoryPosition)>()
    private let maximumBytes: Int
    /// About what it takes.
    public private(set) var bytes = 0
    /// How often a person had no room.
    public private(set) var dropped = 0

    /// What an entry takes beside its own bytes, roughly.
    private static let overhead = 300

    /// - Parameter maximumBytes: how much of memory it may take, by estimate.
    public init(maximumBytes: Int = 256 << 20) { self.maximumBytes = maximumBytes }

    public var count: Int { persons.count }

    /// All that is known of a person.
    public subscript(_ principal: Principal) -> RememberedPerson? { persons[principal] }

    /// The effect of a record.
    public enum Taken: Sendable, Hashable {
        /// It is the newest one about its person. The position is that of the record which it replaces.
        case newest(replaced: MemoryPosition?, hasForgotten: Bool)
        /// A newer one is known, so nobody needs it.
        case outdated
        /// It is known already, or a tombstone.
        case nothing
    }

    /// Takes a record.
    @discardableResult
    public mutating func take(_ record: MemoryRecord) -> Taken {
        let before = persons[record.principal]
        guard let person = record.person else {
            // A newer one, which could not be read, has replaced it.
            if let before, before.position == record.position { set(before.withoutValues, of: record.principal) }
            return .nothing
        }
        if let before, before.position >= person.position {  // rule: laterPositionsCount
            return before.position == person.position ? .nothing : .outdated
        }
        set(person, of: record.principal)
        order.append((record.principal, person.position))
        makeRoom()
        let forgotten = person.forgettings.last?.position
        return .newest(replaced: before?.position, hasForgotten: forgotten != before?.forgettings.last?.position)
    }

    private mutating func set(_ person: RememberedPerson?, of principal: Principal) {
        let before = persons[principal].map { Self.size($0, principal) } ?? 0
        persons[principal] = person
        bytes += (person.map { Self.size($0, principal) } ?? 0) - before
    }

    /// Drops the values of those whose memory was changed the longest ago, and last of all what they have had forgotten.
    private mutating func makeRoom() {
        while bytes > maximumBytes, persons.count > 1, let first = order.popFirst() {
            guard let person = persons[first.principal], person.position == first.position else { continue }
            dropped += 1
            let shell = person.withoutValues
            set(person == shell ? nil : shell, of: first.principal)
            if person != shell { order.append(first) }
        }
        // What was replaced lies between those that were not.
        if order.count > 2 * persons.count + 1_000 {
            order = Deque(order.filter { persons[$0.principal]?.position == $0.position })
        }
    }

    private static func size(_ person: RememberedPerson, _ principal: Principal) -> Int {
        person.values.reduce(principal.id.utf8.count + overhead) { $0 + $1.size + 100 } + 150
            * (person.forgettings.count + person.streams.count)
    }
}

extension RememberedValue {
    /// Whether it was said so long ago that its topic may have deleted it.
    public func isOver(at now: Instant) -> Bool { time.duration(to: now) > .milliseconds(Topics.memoryRetention) }
}
