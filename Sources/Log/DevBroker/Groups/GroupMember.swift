/// A member of a consumer group.
final class GroupMember {
    struct SupportedProtocol: Equatable {
        var name: String
        var metadata: [UInt8]
    }

    var id: String
    /// The name of a static member, which keeps its partitions while it restarts.
    let instance: String?
    var sessionTimeout = Duration.zero
    var rebalanceTimeout = Duration.zero
    var protocols: [SupportedProtocol] = []
    var assignment: [UInt8] = []
    /// When it is removed if it is not heard of; `nil` while it waits for the group.
    private(set) var sessionEnd: ContinuousClock.Instant?
    /// Waits for all members to join.
    var joinReply: Reply? { didSet { if joinReply != nil { sessionEnd = nil } } }
    /// Waits for the leader's assignment.
    var syncReply: Reply? { didSet { if syncReply != nil { sessionEnd = nil } } }

    init(_ id: String, instance: String?) {
        self.id = id
        self.instance = instance
    }

    var protocolNames: [String] { protocols.map(\.name) }

    func metadata(_ name: String) -> [UInt8] { protocols.first { $0.name == name }?.metadata ?? [] }

    func isAlive(at now: ContinuousClock.Instant) {
        if joinReply == nil, syncReply == nil { sessionEnd = now + sessionTimeout }
    }

    /// Answers what it waits for with an error.
    func refuse(_ fault: DevelopmentBroker.Fault) {
        joinReply?.joinRefused(fault, member: id)
        syncReply?.synced(fault, [])
        (joinReply, syncReply) = (nil, nil)
    }

    func refuseSync(_ fault: DevelopmentBroker.Fault, at now: ContinuousClock.Instant) {
        syncReply?.synced(fault, [])
        syncReply = nil
        isAlive(at: now)
    }

    /// Its connection has ended, so that it does not get the answer that it waits for.
    func lost(_ connection: Connection, at now: ContinuousClock.Instant) {
        if joinReply?.connection === connection { joinReply = nil }
        if syncReply?.connection === connection { syncReply = nil }
        if sessionEnd == nil { isAlive(at: now) }
    }
}
