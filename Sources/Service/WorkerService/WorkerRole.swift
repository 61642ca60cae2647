public import ArgumentParser
import IntentEvents
import IntentModel
import Pipeline
import PipelineService

/// The role of a worker, named after the topic of its work.
public enum WorkerRole: String, CaseIterable, Sendable, ExpressibleByArgument {
    case resolve
    case confirm
    case handle
    /// The resolve phase in the app's own workers, for intents that only an app supports.
    case resolveInApp = "resolve-in-app"
    /// The confirm phase in the app's own workers.
    case confirmInApp = "confirm-in-app"
    /// The handle phase in the app's own workers, also after an extension's handler has reported `handleInApp`.
    case handleInApp = "handle-in-app"

    /// `true` if a worker in this role works for the app.
    var isInApp: Bool {
        switch self {
        case .resolve, .confirm, .handle: false
        case .resolveInApp, .confirmInApp, .handleInApp: true
        }
    }

    /// The role's name: `resolver`, `confirmer` or `handler`; in the app with the prefix `app-`.
    var name: String { configuration(Topics()).role }

    /// The role's rights at Kafka.
    var access: AccessRole {
        switch self {
        case .resolve: .resolver
        case .confirm: .confirmer
        case .handle: .handler
        case .resolveInApp: .appResolver
        case .confirmInApp: .appConfirmer
        case .handleInApp: .appHandler
        }
    }

    func configuration(_ topics: Topics) -> WorkerConfiguration {
        switch self {
        case .resolve: WorkerConfiguration(topics: topics, phase: .resolve)
        case .confirm: WorkerConfiguration(topics: topics, phase: .confirm)
        case .handle: WorkerConfiguration(topics: topics, phase: .handle)
        case .resolveInApp: WorkerConfiguration(topics: topics, phase: .resolve, isInApp: true)
        case .confirmInApp: WorkerConfiguration(topics: topics, phase: .confirm, isInApp: true)
        case .handleInApp: WorkerConfiguration(topics: topics, phase: .handle, isInApp: true)
        }
    }
}
