import IntentModel
import PersonGateway
import ServiceLifecycle
import Synchronization

/// Sends overviews of the pipeline to readers every second, and stores the figures of the last two minutes.
///
/// Readers that see only their own sessions may be many. They get an overview when one of their sessions has changed,
/// and otherwise every ``turns`` seconds.
struct FigureTicker: Service {
    private struct Reader {
        var viewer: Viewer
        /// The second, modulo ``turns``, in which the reader gets an overview in any case.
        var turn: Int
        var continuation: AsyncStream<JSON>.Continuation
    }

    private final class Readers: Sendable {
        /// The readers by number. `isClosed` is `true` once no more overviews are sent.
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
                    publish(second: second)
                }
            } catch is CancellationError {}
        }
        close()
    }

    /// Ends the streams of all readers. A stream that is opened later ends after its first overview.
    func close() {
        let ended = readers.all.withLock { all in
            all.isClosed = true
            return Array(all.readers.values)
        }
        for reader in ended { reader.continuation.finish() }
    }

    /// Sends overviews of the changes since the previous call.
    ///
    /// - Parameter second: A count of seconds, which selects the readers that get an overview in any case.
    func publish(second: Int) {
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

    /// Returns a stream of overviews, starting with the present one. A reader that is too slow misses some.
    func overviews(for viewer: Viewer) -> AsyncStream<JSON> {
        let (stream, continuation) = AsyncStream.makeStream(of: JSON.self, bufferingPolicy: .bufferingNewest(5))
        let number = readers.last.withLock { last in
            last += 1
            return last
        }
        // The reader is added before its first overview is made, so that no change is missed.
        let isClosed = readers.all.withLock { all in
            if !all.isClosed {
                all.readers[number] = Reader(viewer: viewer, turn: number % Self.turns, continuation: continuation)
            }
            return all.isClosed
        }
        continuation.onTermination = { [readers] _ in
            readers.all.withLock { _ = $0.readers.removeValue(forKey: number) }
        }
        continuation.yield(overview(for: viewer))
        if isClosed { continuation.finish() }
        return stream
    }

    /// The figures of the last two minutes.
    var history: JSON { readers.history.withLock(\.self).json }

    func overview(for viewer: Viewer) -> JSON { gateway.view(for: viewer).overview(topics: monitor.figures) }
}
