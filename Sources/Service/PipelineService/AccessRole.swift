package import IntentEvents
import Pipeline

/// A role with its own credentials at Kafka.
///
/// ``access(_:service:)`` is the only table of the roles' rights. The ACLs of `intents acl print` and the topic check
/// at the start are derived from it.
package enum AccessRole: String, Sendable, CaseIterable {
    case coordinator, resolver, confirmer, handler
    case appResolver = "app-resolver"
    case appConfirmer = "app-confirmer"
    case appHandler = "app-handler"
    /// Writes deferred outcomes without reading work.
    case callback
    /// Sends requests, and neither answers nor reads results.
    case producer
    /// Sends requests and, with `--trust separate`, only fills in requested values: `intents mcp` for an agent.
    case agent
    /// Represents the person's channel: reads results, and sends requests and answers of the person.
    case person
    /// Represents the console, a channel for many people. It also reads requests, answers, work and outcomes, and replays
    /// or drops dead letters.
    case console
    /// Reads results. A Kafka client that could write would not start with this role's rights
    /// (``RecordLog/ClientConfiguration/isReadOnly``).
    case observer
    /// Inspects and ends sessions, and replays or drops dead letters.
    case `operator`
    /// Creates the topics and changes their settings.
    case topicAdmin = "topic-admin"

    /// Returns the role's access to topics and groups.
    ///
    /// - Parameter service: The service of a worker, or the service whose workers are inspected; `nil` for the default
    ///   service.
    package func access(_ topics: Topics, service: String? = nil) -> RoleAccess {
        switch self {
        case .coordinator:
            RoleAccess(
                reads: [
                    topics.requests, topics.answers, topics.outcomes, topics.sessions, topics.keys, topics.results,
                    topics.catalog, topics.memory, topics.memoryChanges,
                ],
                writes: [
                    topics.sessions, topics.memory, topics.memoryChanges, topics.keys, topics.results, topics.catalog,
                    topics.deadLetters,
                ] + topics.work,
                describes: topics.all, checksSettings: true, group: "\(topics.prefix).coordinator",
                otherGroups: [MemoryKeeper.group(topics).id])
        case .resolver: worker(topics, reads: topics.resolve, service)
        case .confirmer: worker(topics, reads: topics.confirm, service)
        case .handler: worker(topics, reads: topics.handle, service)
        case .appResolver: worker(topics, reads: topics.resolveInApp, service)
        case .appConfirmer: worker(topics, reads: topics.confirmInApp, service)
        case .appHandler: worker(topics, reads: topics.handleInApp, service)
        case .callback: RoleAccess(writes: [topics.outcomes], describes: topics.all)
        case .producer: RoleAccess(reads: [topics.catalog], writes: [topics.requests], describes: topics.all)
        case .agent:
            RoleAccess(
                reads: [topics.results, topics.keys, topics.catalog], writes: [topics.requests], describes: topics.all)
        case .person:
            RoleAccess(
                reads: [topics.results, topics.keys, topics.catalog], writes: [topics.requests, topics.answers],
                describes: topics.all)
        case .console:
            RoleAccess(
                reads: [
                    topics.results, topics.keys, topics.catalog, topics.requests, topics.answers, topics.outcomes,
                    topics.deadLetters,
                ] + topics.work,
                writes: [topics.requests, topics.answers, topics.deadLetters], describes: topics.all,
                describesGroups: Self.groups(topics, [service]))
        case .observer: RoleAccess(reads: [topics.results, topics.keys, topics.catalog], describes: topics.all)
        case .operator:
            RoleAccess(
                reads: topics.all, writes: [topics.requests, topics.answers, topics.keys, topics.deadLetters],
                describes: topics.all, describesGroups: Self.groups(topics, [service]))
        case .topicAdmin: RoleAccess(describes: topics.all, checksSettings: true, createsTopics: true)
        }
    }

    /// Returns the access of a worker of one phase. The right to the group is for its literal name: with the right to a
    /// prefix, a worker could join the coordinators.
    private func worker(_ topics: Topics, reads work: String, _ service: String?) -> RoleAccess {
        RoleAccess(
            reads: [work, topics.keys, topics.catalog], writes: [topics.outcomes, topics.catalog, topics.deadLetters],
            describes: topics.all,
            checksSettings: true,
            group: ServiceName.group(rawValue, of: service, topics: topics))
    }

    /// Returns the groups of coordinators and of these services' workers.
    ///
    /// - Parameter services: The names of the services; `nil` is the default service.
    package static func groups(_ topics: Topics, _ services: [String?]) -> [String] {
        let those = services.flatMap { service in workers.map { $0.access(topics, service: service) } }
        return ([coordinator.access(topics)] + those).flatMap { ($0.group.map { [$0] } ?? []) + $0.otherGroups }
    }

    /// The worker roles, for which services have groups.
    package static let workers: [AccessRole] = [
        .resolver, .confirmer, .handler, .appResolver, .appConfirmer, .appHandler,
    ]
}
