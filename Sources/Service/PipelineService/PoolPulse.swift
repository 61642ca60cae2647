import ServiceLifecycle

/// The heartbeat of Swift's pool of threads, where handlers run: a task that runs once a second.
///
/// Handlers can block all of these threads. The loops, which have threads of their own, then still take work that nothing can begin. With this heartbeat, the process
/// is no longer live after a minute.
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
