import ServiceLifecycle
import Telemetry

/// A sign of life of Swift's pool of threads, where handlers run: a task that runs once a second.
///
/// Handlers that block their threads can hold all of them. The loops go on then, with threads of their own, and take work that nothing can begin. With this, the
/// process is no longer live after a minute of that.
struct PoolPulse: Service {
    static let name = "tasks"

    let health: Health

    func run() async throws {
        let heartbeat = health.begin(Self.name, isMember: false)
        defer { health.end(heartbeat) }
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                heartbeat.beat()
                try? await ContinuousClock().sleep(for: .seconds(1))
            }
        }
    }
}
