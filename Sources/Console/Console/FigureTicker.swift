import IntentModel
import PersonGateway
import ServiceLifecycle
import Synchronization

/// Tells every second how the pipeline is, to all who want to know, and remembers it for two minutes.
///
/// Those who see their own sessions alone are told when one of these has changed, and else every ``turns`` seconds: they may be many.
struct FigureTicker: Service {
    private struct Reader {
        var viewer: Viewer
        /// When it is told in any case.
        var turn: Int
        var continuation: AsyncStream<JSON>.Continuation
    }

    private final class Readers: Sendable {
        /// `isClosed` once nothing more is told.
        let all = Mutex<(readers: [Int: Reader], isClosed: Bool)>(([:], false))
        let last = Mutex(0)
        let history = Mutex(FigureHistory())
    }

    static let turns = 15

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
                var second = 0
                while true {
                    try await ContinuousClock().sleep(for: .seconds(1))
                    second += 1
                    tell(second)
                }
            } catch is CancellationError {}
        }
        close()
    }

    /// Ends all readers, and those that come later at once.
    func close() {
        let ended = readers.all.withLock { all in
            all.isClosed = true
            return Array(all.readers.values)
        }
        for reader in ended { reader.continuation.finish() }
    }

    /// Tells what has changed since the last time.
    ///
    /// - Parameter second: whose turn it is.
    func tell(_ second: Int) {
        let sample = gateway.sample(topics: monitor.figures)
        self.readers.history.withLock { $0.add(sample) }
        let readers = readers.all.withLock { Array($0.readers.values) }
        let due = readers.filter { $0.turn == second % Self.turns }
        let overviews = gateway.overviewsOfChanges(
            topics: monitor.figures, for: Set(readers.map(\.viewer)), inAnyCase: Set(due.map(\.viewer)))
        for reader in readers {
            if let overview = overviews[reader.viewer] { reader.continuation.yield(overview) }
        }
    }

    /// The overviews from now on. A reader that is too slow misses some.
    func overviews(for viewer: Viewer) -> AsyncStream<JSON> {
        let (stream, continuation) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingNewest(5))
        let number = readers.last.withLock { last in
            last += 1
            return last
        }
        // First, so that no change is missed.
        let isClosed = readers.all.withLock { all in
            if !all.isClosed {
                all.readers[number] = Reader(viewer: viewer, turn: number % Self.turns, continuation: continuation)
            }
            return all.isClosed
        }
        continuation.onTermination = { [readers] _ in readers.all.withLock { _ = $0.readers.removeValue(forKey: number) } }
        continuation.yield(overview(for: viewer))
        if isClosed { continuation.finish() }
        return stream
    }

    /// How the pipeline was in the last two minutes.
    var history: JSON { readers.history.withLock(\.self).json }

    func overview(for viewer: Viewer) -> JSON { gateway.view(for: viewer).overview(topics: monitor.figures) }
}
