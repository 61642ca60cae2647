import IntentModel
import Synchronization

/// Collects progress from any thread.
final class ProgressLog: Sendable {
    private let entries = Mutex<[IntentProgress]>([])

    func note(_ progress: IntentProgress) { entries.withLock { $0.append(progress) } }
    var all: [IntentProgress] { entries.withLock { $0 } }
}
