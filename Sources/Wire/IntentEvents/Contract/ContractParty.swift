/// Who writes and reads records: the roles that have credentials of their own at Kafka. The rights that `intents acl print` prints are the authority for who
/// may; a test holds ``ContractTopic`` to them.
public enum ContractParty: String, Sendable, Hashable, CaseIterable {
    case coordinator, resolver, confirmer, handler
    case appResolver = "app-resolver"
    case appConfirmer = "app-confirmer"
    case appHandler = "app-handler"
    case callback, producer, agent, person, console, observer
    case `operator`

    static let workers: [ContractParty] = [.resolver, .confirmer, .handler, .appResolver, .appConfirmer, .appHandler]

    /// The consumer group in which it shares the topics of ``Topics/inputs`` with its equals; `nil` if it has none.
    ///
    /// - Parameter service: the service of workers; `nil` for the default service.
    public func group(_ topics: Topics, service: String? = nil) -> String? {
        if self == .coordinator { return "\(topics.prefix).coordinator" }
        return Self.workers.contains(self) ? ServiceName.group(rawValue, of: service, topics: topics) : nil
    }
}
