public import ArgumentParser
import IntentEvents
import IntentModel
import Pipeline

/// What a worker takes work for, named as the topic that the work is on.
public enum WorkerRole: String, CaseIterable, Sendable, ExpressibleByArgument {
    case resolve
    case confirm
    case handle
    /// The handle phase in the app's own workers, after a handler has answered `handleInApp`.
    case handleInApp = "handle-in-app"

    /// `resolver`, `confirmer`, `handler` or `app-handler`.
    var name: String { configuration(Topics()).role }

    func configuration(_ topics: Topics) -> WorkerConfiguration {
        switch self {
        case .resolve: WorkerConfiguration(topics: topics, phase: .resolve)
        case .confirm: WorkerConfiguration(topics: topics, phase: .confirm)
        case .handle: WorkerConfiguration(topics: topics, phase: .handle)
        case .handleInApp: WorkerConfiguration(topics: topics, phase: .handle, isInApp: true)
        }
    }
}
