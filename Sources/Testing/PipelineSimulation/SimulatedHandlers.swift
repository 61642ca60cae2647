import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog
import Synchronization

/// The rules for the handlers of a history.
struct SimulatedLimits: Sendable {
    var seed: UInt64
    /// `true` if a handler has no second effect under the same idempotency key.
    var honoursKeys = true
    /// Intents whose handlers may be called only once per request.
    var atMostOnce: Set<String> = []
    /// The maximum number of attempts of a phase.
    var maximumAttempts = 3
}

/// Handlers with various behaviour: fast, slow, failing, asking for a retry, continuing in an app, ignoring a cancel,
/// proposing other values, offering items, opening other intents. The behaviour depends on the request, the phase and
/// the number of earlier calls.
final class SimulatedHandlers: Sendable {
    private struct Waiting: Sendable {
        var number: Int
        var process: String
        /// `true` if only a cancel or a crash ends the wait.
        var isEndless: Bool
        /// The handled request, with its session; `nil` in other phases.
        var request: String?
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var dead: Set<String> = []
        var waiting: [Waiting] = []
        var next = 0
    }

    struct Killed: Error {}

    let books: SimulationBooks
    let topics: Topics
    let limits: SimulatedLimits
    private let state = Mutex(State())

    init(books: SimulationBooks, topics: Topics, limits: SimulatedLimits) {
        self.books = books
        self.topics = topics
        self.limits = limits
    }

    /// The number of slow handlers that wait now.
    var waiting: Int { state.withLock { $0.waiting.count { !$0.isEndless } } }

    /// The requests, with their sessions, whose slow handlers would end if they were cancelled.
    var handled: Set<String> { state.withLock { Set($0.waiting.filter { !$0.isEndless }.compactMap(\.request)) } }

    /// Lets one slow handler continue.
    func finish(_ random: inout SimulationRandom) {
        let slow = state.withLock { state in state.waiting.indices.filter { !state.waiting[$0].isEndless } }
        guard !slow.isEmpty else { return }
        let index = random.pick(slow)
        state.withLock { $0.waiting.remove(at: index) }.continuation.resume()
    }

    /// Ends all handlers that run in the process.
    func kill(_ process: String) {
        let killed = state.withLock { state in
            state.dead.insert(process)
            let killed = state.waiting.filter { $0.process == process }
            state.waiting.removeAll { $0.process == process }
            return killed
        }
        for one in killed { one.continuation.resume(throwing: Killed()) }
    }

    /// Waits until ``finish(_:)`` resumes the call.
    ///
    /// - Parameter isEndless: `true` if only a cancel or a crash ends the wait.
    func waitForFinish(_ process: String, in invocation: IntentInvocation? = nil, isEndless: Bool = false) async throws
    {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = Task.isCancelled
                if !isCancelled {
                    let waiting = Waiting(
                        number: number, process: process, isEndless: isEndless, request: invocation?.key,
                        continuation: continuation)
                    state.withLock { $0.waiting.append(waiting) }
                } else {
                    continuation.resume(throwing: CancellationError())
                }
            }
        } onCancel: {
            let cancelled = state.withLock { state in
                state.waiting.firstIndex { $0.number == number }.map { state.waiting.remove(at: $0) }
            }
            cancelled?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until the process ends, and ignores cancels.
    private func hang(_ process: String) async throws {
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            state.withLock { state in
                state.next += 1
                state.waiting.append(
                    Waiting(number: state.next, process: process, isEndless: true, continuation: continuation))
            }
        }
    }

    func isDead(_ process: String) -> Bool { state.withLock { $0.dead.contains(process) } }

    /// Returns the function that a worker calls.
    ///
    /// - Parameters:
    ///   - clock: The worker's clock.
    ///   - next: Returns the offset after the last record of a partition that was delivered to the worker.
    func perform(in process: String, clock: ProcessClock, reading next: @escaping @Sendable (TopicPartition) -> Int64)
        -> Worker.Perform
    {
        { invocation, report in
            self.books.with { $0.checkBeginning(of: invocation, clock.now, topics: self.topics, reading: next) }
            do {
                let outcome = try await self.perform(invocation, process, report)
                if invocation.phase == .handle, outcome.asksForAnotherCall {
                    self.books.withLedger { $0.handlers.granted[invocation.key, default: 0] += 1 }
                }
                return outcome
            } catch {
                return .failed(IntentFailure(.failure("cancelled"), reason: .unexpected, message: "cancelled"))
            }
        }
    }

    private func perform(
        _ invocation: IntentInvocation, _ process: String, _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        if isDead(process) { throw Killed() }
        if invocation.isUpdating {
            let before = books.with { $0.beginUpdates(invocation) }
            var random = SimulationRandom(seed: limits.seed, invocation.key, "updates", "\(before)")
            return try await update(invocation, process, &random, report)
        }
        let before = books.with { $0.begin(invocation, limits: limits) }
        if invocation.phase == .handle, invocation.intent == Self.once { checkCommitted(invocation) }
        // Some phases never succeed, however often they are tried.
        var fate = SimulationRandom(seed: limits.seed, "stubborn", invocation.key, invocation.phase.rawValue)
        if fate.once(in: 60) {
            return .failed(IntentFailure(.retry(after: .milliseconds(50)), reason: .busy, message: "never"))
        }
        // Some calls never return.
        if fate.once(in: 150), invocation.context.deadline != nil {
            books.withLedger { _ = $0.handlers.hanging.insert(process) }
            try await hang(process)
        }
        var random = SimulationRandom(seed: limits.seed, invocation.key, invocation.phase.rawValue, "\(before)")
        if random.once(in: 8) { try await waitForFinish(process) }
        if random.once(in: 14) {
            return .failed(
                IntentFailure(.retry(after: .milliseconds(random.within(0...3_000))), reason: .busy, message: "again"))
        }
        if random.once(in: 30) { return .failed(IntentFailure(.failure("failureX"), reason: .internal, message: "no")) }
        switch invocation.phase {
        case .resolve where random.once(in: 40):
            return .failed(IntentFailure(.reject, reason: random.pick([.unsupported, .invalid]), message: "not here"))
        case .resolve: return resolve(invocation, &random)
        case .confirm: return confirm(invocation, &random)
        case .handle: return try await handle(invocation, process, &random, report)
        }
    }
}

extension SimulatedHandlers {
    private func checkCommitted(_ invocation: IntentInvocation) {
        guard let address = DeferredOutcomeAddress(invocation.context.replyTo) else { return }
        let worker = WorkerConfiguration(topics: topics, phase: .handle, isInApp: invocation.context.isInApp)
        let committed = books.log.committed(group: worker.group.id)[TopicPartition(worker.topic, address.partition)]
        books.withLedger { $0.checkCommitted(invocation.key, worker.topic, address.step, committed) }
    }
}

extension PhaseOutcome {
    /// `true` if the handler itself asks for another call of the phase.
    fileprivate var asksForAnotherCall: Bool {
        switch self {
        case .asked: true
        case .failed(let failure): if case .retry = failure.disposition { true } else { false }
        case .responded(let response, _):
            response.code == .handleInApp || response.code.isFailure && !response.proposed.isEmpty
        case .resolved: false
        }
    }
}
