import Conversation
public import IntentEvents
import IntentModel

/// How many events of each type there were in each topic. A process has to do with a dozen pairs.
public struct EventCounts: Sendable, Hashable {
    public struct Count: Sendable, Hashable {
        public var topic: String
        public var type: EventType
        public var count: Int
    }

    public private(set) var all: [Count] = []

    public init() {}

    mutating func add(_ type: EventType, in topic: String) {
        // A search from the start is quicker than a hash of both.
        for index in all.indices where all[index].type == type && all[index].topic == topic {
            all[index].count += 1
            return
        }
        all.append(Count(topic: topic, type: type, count: 1))
    }
}

extension Outcome.Content {
    func eventType(of phase: Phase) -> EventType {
        switch self {
        case .starting: .starting
        case .updated: .updated
        case .updatesEnded: .updatesEnded
        case .finished, .progressed, .cancelled:
            switch phase {
            case .resolve: .resolved
            case .confirm: .confirmed
            case .handle: .handled
            }
        }
    }
}
