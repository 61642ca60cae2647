import Foundation
import HTTPTypes
import IntentModel
import PersonGateway
import ServiceLifecycle
import Synchronization

/// The open server-sent streams. Once a second, streams whose reader does not read or whose token is no longer valid
/// are ended.
final class OpenStreams: Service, Sendable {
    /// The maximum time for which a write may be blocked.
    static let patience = Duration.seconds(30)
    /// The maximum time for which a write may be blocked while the process drains.
    static let patienceInDrain = Duration.seconds(2)

    private struct State {
        var streams: [ObjectIdentifier: OpenStream] = [:]
        /// The number of open streams of each principal; `nil` stands for callers without a principal.
        var counts: [Principal?: Int] = [:]
        var isDraining = false
    }

    private let authenticator: Authenticator
    private let maximumPerPrincipal: Int
    private let maximum: Int
    private let state = Mutex(State())

    /// - Parameters:
    ///   - maximumPerPrincipal: The maximum number of open streams of a principal's own sessions, including the streams
    ///     of its agents.
    ///   - maximum: The maximum number of open streams of all principals.
    init(authenticator: Authenticator, maximumPerPrincipal: Int = 1_000, maximum: Int = 20_000) {
        (self.authenticator, self.maximumPerPrincipal, self.maximum) = (authenticator, maximumPerPrincipal, maximum)
    }

    var count: Int { state.withLock { $0.streams.count } }
    /// The number of streams that are writing at present.
    var writing: Int { state.withLock { $0.streams.values.count { $0.writingSince != nil } } }

    /// Ends failing streams until graceful shutdown, and then until no stream is open.
    func run() async throws {
        try await withGracefulShutdownHandler {
            do {
                while !state.withLock({ $0.isDraining && $0.streams.isEmpty }) {
                    try await ContinuousClock().sleep(for: .seconds(state.withLock { $0.isDraining ? 0.25 : 1 }))
                    endFailingStreams()
                }
            } catch is CancellationError {}
        } onGracefulShutdown: {
            self.drain()
        }
    }

    /// Shortens the time limit of blocked writes from now on.
    func drain() { state.withLock { $0.isDraining = true } }

    /// Opens a stream for the caller. The number of streams of a principal is limited unless it sees all sessions, as a
    /// service does that forwards events to many people.
    ///
    /// - Throws: ``HTTPProblem`` with the status 429 if the caller or all callers together have too many open streams.
    func admit(_ caller: Caller) throws(HTTPProblem) -> StreamSeat {
        let isLimited = try caller.viewer().scope != .all
        let stream = OpenStream(caller)
        let (refusal, isDraining): (String?, Bool) = state.withLock { state in
            if isLimited, state.counts[caller.principal] ?? 0 >= maximumPerPrincipal {
                return (
                    "\(maximumPerPrincipal) streams of yours are open: close some, or follow all of your sessions with one",
                    false
                )
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

    /// Ends streams whose write is blocked for too long or whose token is no longer valid.
    func endFailingStreams(at now: ContinuousClock.Instant = .now, date: Date = .now) {
        let (streams, isDraining) = state.withLock { (Array($0.streams.values), $0.isDraining) }
        let patience = isDraining ? Self.patienceInDrain : Self.patience
        for stream in streams {
            if let since = stream.writingSince, since.duration(to: now) >= patience { stream.end() }
            if let token = stream.token, !authenticator.isValid(token, at: date) { stream.end() }
        }
    }
}

/// The place of one stream among the open streams. The place is released when the stream ends, also if the response was
/// never written.
final class StreamSeat: Sendable {
    let stream: OpenStream
    private let streams: OpenStreams

    fileprivate init(_ stream: OpenStream, in streams: OpenStreams) { (self.stream, self.streams) = (stream, streams) }

    deinit { streams.close(stream) }

    /// Releases the place when the stream has ended.
    func release() { streams.close(stream) }
}

/// An open server-sent stream.
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

    /// The start of the write in progress; `nil` if there is none.
    var writingSince: ContinuousClock.Instant? { state.withLock { $0.writingSince } }

    /// `true` if ``end()`` has ended the stream.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Performs a write whose time is limited.
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

    /// Waits until the stream is ended or the task is cancelled.
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
