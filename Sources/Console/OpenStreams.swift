import Foundation
import ServiceLifecycle
import Synchronization

/// The server-sent streams that are open. Once a second it ends those whose reader does not read, and those whose token does not count any more.
final class OpenStreams: Service, Sendable {
    /// How long a write may be blocked.
    static let patience = Duration.seconds(30)
    /// The same, once the process drains.
    static let patienceInDrain = Duration.seconds(2)

    private let authenticator: Authenticator
    private let state = Mutex<(streams: [ObjectIdentifier: OpenStream], isDraining: Bool)>(([:], false))

    init(authenticator: Authenticator) { self.authenticator = authenticator }

    var count: Int { state.withLock { $0.streams.count } }
    /// How many of them write at present.
    var writing: Int { state.withLock { $0.streams.values.count { $0.writingSince != nil } } }

    /// Looks after the streams until graceful shutdown, and then until none is left.
    func run() async throws {
        try await withGracefulShutdownHandler {
            do {
                while !state.withLock({ $0.isDraining && $0.streams.isEmpty }) {
                    try await ContinuousClock().sleep(for: .seconds(state.withLock { $0.isDraining ? 0.25 : 1 }))
                    look()
                }
            } catch is CancellationError {}
        } onGracefulShutdown: {
            self.drain()
        }
    }

    /// From now on, blocked writes have little time.
    func drain() { state.withLock { $0.isDraining = true } }

    func open(for caller: Caller) -> OpenStream {
        let stream = OpenStream(caller.token)
        let isDraining = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = stream
            return state.isDraining
        }
        if isDraining { stream.end() }
        return stream
    }

    func close(_ stream: OpenStream) { state.withLock { $0.streams[ObjectIdentifier(stream)] = nil } }

    /// Ends the streams that can't go on.
    func look(at now: ContinuousClock.Instant = .now, date: Date = .now) {
        let (streams, isDraining) = state.withLock { (Array($0.streams.values), $0.isDraining) }
        let patience = isDraining ? Self.patienceInDrain : Self.patience
        for stream in streams {
            if let since = stream.writingSince, since.duration(to: now) >= patience { stream.end() }
            if let token = stream.token, !authenticator.isValid(token, at: date) { stream.end() }
        }
    }
}

/// One of them.
final class OpenStream: Sendable {
    private struct State {
        var writingSince: ContinuousClock.Instant?
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    let token: TokenLife?
    private let state = Mutex(State())

    init(_ token: TokenLife?) { self.token = token }

    /// When the write has begun that goes on at present.
    var writingSince: ContinuousClock.Instant? { state.withLock { $0.writingSince } }

    /// Whether it was ended, and not by itself.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Does a write whose time is limited.
    func write(_ body: () async throws -> Void) async throws {
        state.withLock { $0.writingSince = .now }
        defer { state.withLock { $0.writingSince = nil } }
        try await body()
    }

    func end() {
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume()
    }

    /// Waits until it is ended, or the task is cancelled.
    func ended() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    let isOver = state.isOver || Task.isCancelled
                    if !isOver { state.waiting = continuation }
                    return isOver
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            state.withLock { state in
                defer { state.waiting = nil }
                return state.waiting
            }?.resume()
        }
    }
}
