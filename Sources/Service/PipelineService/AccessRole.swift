package import IntentEvents
import Pipeline

/// Who has credentials of its own at Kafka.
///
/// ``access(_:)`` is the one table of who may do what. The ACLs of `intents acl print` come from it, and so does the check of the topics at the start.
package enum AccessRole: String, Sendable, CaseIterable {
    case coordinator, resolver, confirmer, handler
    case appResolver = "app-resolver"
    case appConfirmer = "app-confirmer"
    case appHandler = "app-handler"
    /// Writes deferred outcomes without reading work.
    case callback
    /// Makes requests, and neither answers nor listens.
    case producer
    /// Makes requests and, with `--trust separate`, only fills in what they ask: `intents mcp` for an agent.
    case agent
    /// The channel of the person: shows results, and says what the person says.
    case person
    /// The console: the person's channel for many. It also shows what the person's side says, and deals with dead letters.
    case console
    /// Shows results. A client of Kafka that could write would not start with its rights (``RecordLog/ClientConfiguration/isReadOnly``).
    case observer
    /// Looks into sessions, ends them, and deals with dead letters.
    case `operator`
    /// Creates the topics and changes their settings.
    case topicAdmin = "topic-admin"

    /// What it may do.
    ///
    /// - Parameter service: The service of workers, or whose workers are looked at; `nil` for the default service.
    package func access(_ topics: Topics, service: String? = nil) -> RoleAccess {
        switch self {
        case .coordinator:
            RoleAccess(
                reads: [
                    topics.requests, topics.answers, topics.outcomes, topics.sessions, topics.keys, topics.results,
                    topics.catalog, topics.memory, topics.memoryChanges,
                ],
                writes: [
                    topics.sessions, topics.memory, topics.memoryChanges, topics.keys, topics.results, topics.catalog, topics.deadLetters,
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
        case .agent: RoleAccess(reads: [topics.results, topics.keys, topics.catalog], writes: [topics.requests], describes: topics.all)
        case .person:
            RoleAccess(
                reads: [topics.results, topics.keys, topics.catalog], writes: [topics.requests, topics.answers], describes: topics.all)
        case .console:
            RoleAccess(
                reads: [topics.results, topics.keys, topics.catalog, topics.requests, topics.answers, topics.deadLetters],
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

    /// A worker of one phase. The group is the literal name: with the right to a prefix, a worker could join the coordinators.
    private func worker(_ topics: Topics, reads work: String, _ service: String?) -> RoleAccess {
        RoleAccess(
            reads: [work, topics.keys, topics.catalog], writes: [topics.outcomes, topics.catalog, topics.deadLetters],
            describes: topics.all,
            checksSettings: true,
            group: ServiceName.group(rawValue, of: service, topics: topics))
    }

    /// The groups of coordinators and of these services' workers.
    ///
    /// - Parameter services: `nil` is the default service.
    package static func groups(_ topics: Topics, _ services: [String?]) -> [String] {
        let those = services.flatMap { service in workers.map { $0.access(topics, service: service) } }
        return ([coordinator.access(topics)] + those).flatMap { ($0.group.map { [$0] } ?? []) + $0.otherGroups }
    }

    /// The roles of workers, which services have groups for.
    package static let workers: [AccessRole] = [.resolver, .confirmer, .handler, .appResolver, .appConfirmer, .appHandler]
}
