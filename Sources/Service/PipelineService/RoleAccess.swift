/// The complete rights of a role at Kafka.
package struct RoleAccess: Sendable, Hashable {
    package var reads: [String]
    package var writes: [String]
    /// The topics whose existence and partition counts the role checks.
    package var describes: [String]
    /// `true` if the role also checks the settings of the topics in ``describes``.
    package var checksSettings: Bool
    /// The consumer group that the role joins, by its literal name.
    package var group: String?
    /// Further groups that the role joins.
    package var otherGroups: [String]
    /// The groups whose members and offsets the role reads without joining them, by their literal names.
    package var describesGroups: [String]
    /// `true` if the role creates the topics in ``describes`` and changes their settings.
    package var createsTopics: Bool

    package init(
        reads: [String] = [], writes: [String] = [], describes: [String], checksSettings: Bool = false,
        group: String? = nil,
        otherGroups: [String] = [], describesGroups: [String] = [], createsTopics: Bool = false
    ) {
        self.reads = reads
        self.writes = writes
        self.describes = describes
        self.checksSettings = checksSettings
        self.group = group
        self.otherGroups = otherGroups
        self.describesGroups = describesGroups
        self.createsTopics = createsTopics
    }

    /// Returns the ACLs for this access.
    ///
    /// - Parameters:
    ///   - groups: Further groups that the role's programs join, by their literal names.
    ///   - idempotentWrite: `true` for brokers before 2.8, where an idempotent producer needs a right to the cluster.
    ///     On later brokers, the right to write to a topic includes idempotent writes.
    package func grants(groups: [String] = [], idempotentWrite: Bool = false) -> [AccessGrant] {
        var manages: [AccessGrant.Operation] = [.describe]
        if checksSettings { manages.append(.describeConfigs) }
        if createsTopics { manages += [.create, .alterConfigs] }
        let grants = [
            AccessGrant(manages, .topic, describes), AccessGrant([.read], .topic, reads),
            AccessGrant([.write], .topic, writes),
            // The right to join, to fetch the committed offsets, and to commit.
            AccessGrant([.read], .group, (group.map { [$0] } ?? []) + otherGroups + groups),
            AccessGrant([.describe], .group, describesGroups),
            AccessGrant([.idempotentWrite], .cluster, idempotentWrite && !writes.isEmpty ? [AccessGrant.cluster] : []),
        ]
        return grants.filter { !$0.names.isEmpty }
    }
}

/// Operations on resources of one kind, each by its literal name.
package struct AccessGrant: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable { case topic, group, cluster }

    /// An operation, by Kafka's name.
    package enum Operation: String, Sendable, Hashable {
        case read = "Read"
        case write = "Write"
        case create = "Create"
        case describe = "Describe"
        case describeConfigs = "DescribeConfigs"
        case alterConfigs = "AlterConfigs"
        case idempotentWrite = "IdempotentWrite"
    }

    package var operations: [Operation]
    package var kind: Kind
    package var names: [String]

    /// Kafka's name of the cluster as a resource.
    static let cluster = "kafka-cluster"

    package init(_ operations: [Operation], _ kind: Kind, _ names: [String]) {
        self.operations = operations
        self.kind = kind
        self.names = names
    }
}
