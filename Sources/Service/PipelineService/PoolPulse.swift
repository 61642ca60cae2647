import ServiceLifecycle

/// The heartbeat of Swift's thread pool, where handlers run: a task that runs once a second.
///
/// Handlers can block all threads of the pool. The loops have their own threads, so they would still poll work that
/// nothing can begin. With this heartbeat, the process is no longer live after a minute.
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
