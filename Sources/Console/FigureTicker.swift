import IntentModel
import PersonGateway
import ServiceLifecycle
import Synchronization

/// Tells every second how the pipeline is, to all who want to know.
struct FigureTicker: Service {
    /// What a second brings.
    struct Tick: Sendable {
        var changed: Set<String>
    }

    private final class Readers: Sendable {
        let continuations = Mutex<[Int: AsyncStream<Tick>.Continuation]>([:])
        let last = Mutex(0)
    }

    let gateway: Gateway
    let monitor: TopicMonitor
    private let readers = Readers()

    init(gateway: Gateway, monitor: TopicMonitor) {
        self.gateway = gateway
        self.monitor = monitor
    }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            do {
                while true {
                    try await ContinuousClock().sleep(for: .seconds(1))
                    let tick = Tick(changed: gateway.takeChanged())
                    for reader in readers.continuations.withLock({ Array($0.values) }) { reader.yield(tick) }
                }
            } catch is CancellationError {}
        }
        for reader in readers.continuations.withLock({ Array($0.values) }) { reader.finish() }
    }

    /// The seconds from now on. A reader that is too slow misses some.
    func ticks() -> AsyncStream<Tick> {
        let (stream, continuation) = AsyncStream.makeStream(of: Tick.self, bufferingPolicy: .bufferingNewest(1))
        let number = readers.last.withLock { last in
            last += 1
            return last
        }
        readers.continuations.withLock { $0[number] = continuation }
        continuation.onTermination = { [readers] _ in readers.continuations.withLock { _ = $0.removeValue(forKey: number) } }
        return stream
    }

    /// - Parameter changed: sessions whose summaries are wanted, at most 50.
    func overview(for viewer: Viewer, changed: Set<String> = []) -> JSON {
        gateway.overview(topics: monitor.figures, changed: Set(changed.prefix(50)), for: viewer)
    }
}
