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
    /// The handle phase in the app's own workers, after a handler has reported `handleInApp`.
    case handleInApp = "handle-in-app"

    /// `resolver`, `confirmer`, `handler` or `app-handler`.
    var name: String { configuration(Topics()).role }

    /// Its rights at Kafka.
    var access: AccessRole {
        switch self {
        case .resolve: .resolver
        case .confirm: .confirmer
        case .handle: .handler
        case .handleInApp: .appHandler
        }
    }

    func configuration(_ topics: Topics) -> WorkerConfiguration {
        switch self {
        case .resolve: WorkerConfiguration(topics: topics, phase: .resolve)
        case .confirm: WorkerConfiguration(topics: topics, phase: .confirm)
        case .handle: WorkerConfiguration(topics: topics, phase: .handle)
        case .handleInApp: WorkerConfiguration(topics: topics, phase: .handle, isInApp: true)
        }
    }
}
