package import IntentEvents

/// Who has credentials of its own at Kafka.
///
/// ``access(_:)`` is the one table of who may do what. The ACLs of `intents acl print` come from it, and so does the check of the topics at the start.
package enum AccessRole: String, Sendable, CaseIterable {
    case coordinator, resolver, confirmer, handler
    case appHandler = "app-handler"
    /// Writes deferred outcomes without reading work.
    case callback
    /// Makes requests, and neither answers nor listens: an agent.
    case producer
    /// The channel of the person: shows results, and says what the person says.
    case person
    /// Shows results. A client of Kafka that could write would not start with its rights (``RecordLog/ClientConfiguration/isReadOnly``).
    case observer
    /// Looks into sessions, ends them, and deals with dead letters.
    case `operator`
    /// Creates the topics and changes their settings.
    case topicAdmin = "topic-admin"

    package func access(_ topics: Topics) -> RoleAccess {
        switch self {
        case .coordinator:
            RoleAccess(
                reads: [topics.requests, topics.answers, topics.outcomes, topics.sessions, topics.keys, topics.results],
                writes: [
                    topics.sessions, topics.keys, topics.resolve, topics.confirm, topics.handle, topics.handleInApp, topics.results,
                    topics.deadLetters,
                ],
                describes: topics.all, checksSettings: true, group: "\(topics.prefix).coordinator")
        case .resolver: worker(topics, reads: topics.resolve)
        case .confirmer: worker(topics, reads: topics.confirm)
        case .handler: worker(topics, reads: topics.handle)
        case .appHandler: worker(topics, reads: topics.handleInApp)
        case .callback: RoleAccess(writes: [topics.outcomes], describes: topics.all)
        case .producer: RoleAccess(writes: [topics.requests], describes: topics.all)
        case .person: RoleAccess(reads: [topics.results, topics.keys], writes: [topics.requests, topics.answers], describes: topics.all)
        case .observer: RoleAccess(reads: [topics.results, topics.keys], describes: topics.all)
        case .operator:
            RoleAccess(
                reads: topics.all, writes: [topics.requests, topics.answers, topics.keys, topics.deadLetters], describes: topics.all)
        case .topicAdmin: RoleAccess(describes: topics.all, checksSettings: true, createsTopics: true)
        }
    }

    /// A worker of one phase. The group is the literal name: with the right to a prefix, a worker could join the coordinators.
    private func worker(_ topics: Topics, reads work: String) -> RoleAccess {
        RoleAccess(
            reads: [work, topics.keys], writes: [topics.outcomes, topics.deadLetters], describes: topics.all, checksSettings: true,
            group: "\(topics.prefix).\(rawValue)")
    }
}
