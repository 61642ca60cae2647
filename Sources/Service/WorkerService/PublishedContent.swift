import Conversation
import IntentEvents
import IntentModel
import IntentRuntime
import Pipeline
import PipelineService

extension CataloguePublisher.Content {
    /// The start time of this process.
    private static let started = Instant.now.description

    /// Creates a worker's content of the catalogue.
    init(_ registry: IntentRegistry, roles: [WorkerRole], _ configuration: IntentWorker.Configuration) {
        let lease = WorkerLease(
            service: configuration.service, instance: configuration.instance ?? ProcessOptions.defaultName,
            version: configuration.serviceVersion,
            intents: roles.allSatisfy(\.isInApp) ? [] : registry.served(inApp: false).map { Identifier($0) },
            inApp: roles.contains(where: \.isInApp) ? registry.served(inApp: true).map { Identifier($0) } : [],
            phases: roles.map(\.rawValue),
            started: Self.started)
        let named = Set(lease.intents + lease.inApp)
        self.init(
            lease: lease,
            intents: registry.intents.filter { named.contains(Identifier($0)) }.map { name in
                let details = registry.published(name)
                return PublishedIntent(
                    service: configuration.service, version: configuration.serviceVersion, intent: Identifier(name),
                    title: details["title"]?.view.string ?? name, details: details)
            })
    }
}
