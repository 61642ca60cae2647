import ArgumentParser
import IntentEvents
import IntentModel
import Pipeline

/// What a worker takes work for, called as the topic that it is on.
enum WorkerRole: String, CaseIterable, ExpressibleByArgument {
    case resolve
    case confirm
    case handle
    /// What handlers passed on to the app with `handleInApp`.
    case handleInApp = "handle-in-app"

    func configuration(_ topics: Topics) -> WorkerConfiguration {
        switch self {
        case .resolve: WorkerConfiguration(topics: topics, phase: .resolve)
        case .confirm: WorkerConfiguration(topics: topics, phase: .confirm)
        case .handle: WorkerConfiguration(topics: topics, phase: .handle)
        case .handleInApp: WorkerConfiguration(topics: topics, phase: .handle, isInApp: true)
        }
    }
}
