import Foundation
import HTTPTypes
import IntentModel
import PersonGateway
import ServiceLifecycle
import Synchronization

/// The server-sent streams that are open. Once a second it ends those whose reader does not read, and those whose token does not count any more.
final class OpenStreams: Service, Sendable {
    /// How long a write may be blocked.
    static let patience = Duration.seconds(30)
    /// The same, once the process drains.
    static let patienceInDrain = Duration.seconds(2)

    private struct State {
        var streams: [ObjectIdentifier: OpenStream] = [:]
        /// How many streams each principal has open; `nil` is whoever uses this machine.
        var counts: [Principal?: Int] = [:]
        var isDraining = false
    }

    private let authenticator: Authenticator
    private let maximumPerPrincipal: Int
    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumPerPrincipal: how many streams of their own sessions a principal may have open, the streams of its agents included.
    ///   - maximum: how many streams may be open in all.
    init(authenticator: Authenticator, maximumPerPrincipal: Int = 1_000, maximum: Int = 20_000) {
        (self.authenticator, self.maximumPerPrincipal, self.maximum) = (authenticator, maximumPerPrincipal, maximum)
    }

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

    /// Opens a stream for the caller. The number of streams of a principal is limited unless it sees all sessions: a service that passes events on to many people does.
    ///
    /// - Throws: ``HTTPProblem`` with the status 429 if too many are open, of the caller or in all.
    func admit(_ caller: Caller) throws(HTTPProblem) -> StreamSeat {
        let isLimited = try caller.viewer().scope != .all
        let stream = OpenStream(caller)
        let (refusal, isDraining): (String?, Bool) = state.withLock { state in
            if isLimited, state.counts[caller.principal] ?? 0 >= maximumPerPrincipal {
                return ("\(maximumPerPrincipal) streams of yours are open: close some, or follow all of your sessions with one", false)
            }
            if state.streams.count >= maximum {
                return ("\(maximum) streams are open, and this console serves no more: try again later", false)
            }
            state.streams[ObjectIdentifier(stream)] = stream
            state.counts[caller.principal, default: 0] += 1
            return (nil, state.isDraining)
        }
        if let refusal {
            var problem = HTTPProblem(.tooManyRequests, refusal, .busy)
            problem.fields[.retryAfter] = "30"
            throw problem
        }
        if isDraining { stream.end() }
        return StreamSeat(stream, in: self)
    }

    fileprivate func close(_ stream: OpenStream) {
        state.withLock { state in
            guard state.streams.removeValue(forKey: ObjectIdentifier(stream)) != nil else { return }
            let count = (state.counts[stream.principal] ?? 0) - 1
            state.counts[stream.principal] = count > 0 ? count : nil
        }
    }

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

/// The place of one stream among those that are open. It is free again once the stream is over, also if the answer was never written.
final class StreamSeat: Sendable {
    let stream: OpenStream
    private let streams: OpenStreams

    fileprivate init(_ stream: OpenStream, in streams: OpenStreams) { (self.stream, self.streams) = (stream, streams) }

    deinit { streams.close(stream) }

    /// The stream is over.
    func leave() { streams.close(stream) }
}

/// One of them.
final class OpenStream: Sendable {
    private struct State {
        var writingSince: ContinuousClock.Instant?
        var isOver = false
        var waiting: CheckedContinuation<Void, Never>?
    }

    let principal: Principal?
    let token: TokenLife?
    private let state = Mutex(State())

    init(_ caller: Caller) { (principal, token) = (caller.principal, caller.token) }

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
