import Foundation

/// A requirement of a fault that not every broker or machine meets.
enum FaultNeed: Sendable {
    case developmentBroker
    /// A Kafka with topics that can be changed and deleted.
    case kafka
    /// A proxy between the processes and the broker.
    case proxy
    /// Commands that stop and start a Kafka.
    case brokerCommands
    /// Commands that fill the disk of a Kafka and make room again.
    case diskCommands
    /// A wall clock of the processes that jumps.
    case fakeClock

    /// The reason why the fault is skipped; `nil` if the requirement is met.
    var reasonToSkip: String? {
        let servers = FaultBroker.kafkaServers
        return switch self {
        case .developmentBroker: servers == nil ? nil : "only the development broker can inject it"
        case .kafka: servers == nil ? "needs a Kafka: the development broker can't change or delete topics" : nil
        case .proxy:
            servers.map { TCPProxy(to: $0)?.end() != nil } ?? true ? nil : "the broker has to be on this machine"
        case .brokerCommands: BrokerCommands.given == nil ? "needs commands that stop and start a Kafka" : nil
        case .diskCommands:
            DiskCommands.given == nil ? "needs commands that fill a Kafka's disk and make room again" : nil
        case .fakeClock: FakeClock.isPossible ? nil : "needs Linux and a C compiler (cc)"
        }
    }
}
