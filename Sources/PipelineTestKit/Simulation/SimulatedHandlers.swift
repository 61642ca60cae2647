import Conversation
import IntentEvents
import Intents
import Pipeline
import Synchronization

/// What the handlers of a history are held to.
struct SimulatedLimits: Sendable {
    var seed: UInt64
    /// Whether handlers do nothing under a key under which they have done it.
    var honoursKeys = true
    /// Intents whose handlers may be called once for each request.
    var atMostOnce: Set<String> = []
}

/// Handlers of every temper: quick and slow, failing, asking for another try, going on in an app, deaf to a cancel. What one does follows from the
/// request, the phase and how often it was called.
final class SimulatedHandlers: Sendable {
    static let places = ["north", "northeast", "maybe"].map { JSON.string($0) }
    static let party: [JSON] = [.number(1), .number(2)]

    private struct Waiting: Sendable {
        var number: Int
        var process: String
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct State: Sendable {
        var dead: Set<String> = []
        var waiting: [Waiting] = []
        var next = 0
    }

    struct Killed: Error {}

    private let books: SimulationBooks
    private let topics: Topics
    private let limits: SimulatedLimits
    private let state = Mutex(State())

    init(books: SimulationBooks, topics: Topics, limits: SimulatedLimits) {
        self.books = books
        self.topics = topics
        self.limits = limits
    }

    /// Whether the confirmer of this request wants the person's yes.
    static func asks(_ key: String, _ seed: UInt64) -> Bool {
        var random = SimulationRandom(seed: seed, "asks", key)
        return random.once(in: 2)
    }

    /// How many take their time at present.
    var waiting: Int { state.withLock { $0.waiting.count } }

    /// One that took its time goes on.
    func finish(_ random: inout SimulationRandom) {
        let count = waiting
        guard count > 0 else { return }
        let index = random.below(count)
        state.withLock { $0.waiting.remove(at: index) }.continuation.resume()
    }

    /// Whatever runs in the process ends with it.
    func kill(_ process: String) {
        let killed = state.withLock { state in
            state.dead.insert(process)
            let killed = state.waiting.filter { $0.process == process }
            state.waiting.removeAll { $0.process == process }
            return killed
        }
        for one in killed { one.continuation.resume(throwing: Killed()) }
    }

    private func takeTime(_ process: String) async throws {
        let number = state.withLock { state in
            state.next += 1
            return state.next
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let isCancelled = Task.isCancelled
                if !isCancelled {
                    state.withLock { $0.waiting.append(Waiting(number: number, process: process, continuation: continuation)) }
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

    private func isDead(_ process: String) -> Bool { state.withLock { $0.dead.contains(process) } }

    /// What a worker calls.
    func perform(in process: String) -> Worker.Perform {
        { invocation, report in
            do { return try await self.perform(invocation, process, report) } catch {
                return .failed(IntentFailure(.failure("cancelled"), reason: .unexpected, message: "called off"))
            }
        }
    }

    private func perform(
        _ invocation: IntentInvocation, _ process: String, _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        if isDead(process) { throw Killed() }
        let before = books.with { $0.begin(invocation, topics: topics, limits: limits) }
        var random = SimulationRandom(seed: limits.seed, invocation.key, invocation.phase.rawValue, "\(before)")
        if random.once(in: 8) { try await takeTime(process) }
        if random.once(in: 14) {
            return .failed(IntentFailure(.retry(after: .milliseconds(random.within(0...3_000))), reason: .busy, message: "again"))
        }
        if random.once(in: 30) { return .failed(IntentFailure(.failure("failureX"), reason: .internal, message: "no")) }
        switch invocation.phase {
        case .resolve: return .resolved(resolve(invocation))
        case .confirm: return confirm(invocation, &random)
        case .handle: return try await handle(invocation, process, &random, report)
        }
    }

    private func resolve(_ invocation: IntentInvocation) -> [ResolvedParameter] {
        let chosen = Set(invocation.parameters.filter { $0.origin == .chosen || $0.origin == .confirmed }.map(\.name))
        let place: ParameterResolution
        switch invocation.value("dropOff") {
        case nil: place = .needsValue(dialog: nil)
        case let value? where value == .string("n"):
            place = .disambiguation(
                [
                    ParameterOption(id: "1", title: "North", value: .string("north")),
                    ParameterOption(id: "2", title: "NE", value: .string("northeast")),
                ],
                dialog: nil)
        case let value? where value == .string("maybe"): place = .confirmationRequired(value, dialog: nil)
        case let value? where Self.places.contains(value): place = .success(value)
        case _?: place = .unsupported(reason: "outsideServiceArea", dialog: nil)
        }
        let party: ParameterResolution = invocation.value("party").map { .success($0) } ?? .notRequired
        var isFine = false
        switch place {
        case .success: isFine = true
        case .confirmationRequired: isFine = chosen.contains("dropOff")
        default: break
        }
        if isFine { books.note { $0.handlers.resolved[invocation.key, default: []].insert(invocation.values) } }
        return [ResolvedParameter(name: "dropOff", resolution: place), ResolvedParameter(name: "party", resolution: party)]
    }

    private func confirm(_ invocation: IntentInvocation, _ random: inout SimulationRandom) -> PhaseOutcome {
        let asks = Self.asks(invocation.key, limits.seed)
        let confirmation = asks ? ConfirmationRequest(summary: "Ride") : nil
        let code: ResponseCode
        switch random.below(30) {
        case 0: code = .failure
        case 1: code = .failureRequiringAppLaunch
        case 2: code = .continueInApp
        case 3: code = .handleInApp
        case 4...7 where asks: code = .userConfirmationRequired
        case 8...11: code = .success
        default: code = .ready
        }
        if !code.isFailure { books.note { $0.handlers.ready[invocation.key, default: []].insert(invocation.values) } }
        return .responded(IntentResponse(code), confirmation: confirmation)
    }

    private func handle(
        _ invocation: IntentInvocation, _ process: String, _ random: inout SimulationRandom, _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        let done = PhaseOutcome.responded(IntentResponse(.success))
        switch random.below(24) {
        case 0: return .responded(IntentResponse(.failure))
        case 1: return .responded(IntentResponse(.failureRequiringAppLaunch))
        case 2: return .responded(IntentResponse(.continueInApp))
        case 3...4: return .responded(IntentResponse(.handleInApp))
        case 5: return .responded(IntentResponse(.inProgress))
        case 6...8:
            // Done, and then something goes wrong on the way back.
            books.note { $0.effect(invocation, honoursKeys: limits.honoursKeys) }
            return .failed(IntentFailure(.retry(after: .milliseconds(200)), reason: .internal, message: "lost the answer"))
        case 9...11:
            report(IntentProgress(fraction: 0.3))
            try await takeTime(process)
            report(IntentProgress(fraction: 0.6))
        case 12...14: try await takeTime(process)
        case 15:
            // Deaf to a cancel.
            do { try await takeTime(process) } catch is CancellationError {}
        default: break
        }
        if isDead(process) { throw Killed() }
        books.note { $0.effect(invocation, honoursKeys: limits.honoursKeys) }
        return done
    }
}
