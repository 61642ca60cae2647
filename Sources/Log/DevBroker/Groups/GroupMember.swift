/// A member of a consumer group.
final class GroupMember {
    struct SupportedProtocol: Equatable {
        var name: String
        var metadata: [UInt8]
    }

    var id: String
    /// The `group.instance.id` of a static member, which keeps its partitions during a restart.
    let instance: String?
    var sessionTimeout = Duration.zero
    var rebalanceTimeout = Duration.zero
    var protocols: [SupportedProtocol] = []
    var assignment: [UInt8] = []
    /// The time at which the member is removed without further requests; `nil` while the member waits for a response.
    private(set) var sessionEnd: ContinuousClock.Instant?
    /// The reply to a JoinGroup request that waits for all members to join.
    var joinReply: Reply? { didSet { if joinReply != nil { sessionEnd = nil } } }
    /// The reply to a SyncGroup request that waits for the leader's assignment.
    var syncReply: Reply? { didSet { if syncReply != nil { sessionEnd = nil } } }

    init(_ id: String, instance: String?) {
        self.id = id
        self.instance = instance
    }

    var protocolNames: [String] { protocols.map(\.name) }

    func metadata(_ name: String) -> [UInt8] { protocols.first { $0.name == name }?.metadata ?? [] }

    func renewSession(at now: ContinuousClock.Instant) {
        if joinReply == nil, syncReply == nil { sessionEnd = now + sessionTimeout }
    }

    /// Answers the member's waiting requests with an error.
    func refuse(_ fault: DevelopmentBroker.Fault) {
        joinReply?.joinRefused(fault, member: id)
        syncReply?.synced(fault, [])
        (joinReply, syncReply) = (nil, nil)
    }

    func refuseSync(_ fault: DevelopmentBroker.Fault, at now: ContinuousClock.Instant) {
        syncReply?.synced(fault, [])
        syncReply = nil
        renewSession(at: now)
    }

    /// Drops the replies of a connection that has ended, and starts the member's session timeout.
    func dropReplies(to connection: Connection, at now: ContinuousClock.Instant) {
        if joinReply?.connection === connection { joinReply = nil }
        if syncReply?.connection === connection { syncReply = nil }
        if sessionEnd == nil { renewSession(at: now) }
    }
}
