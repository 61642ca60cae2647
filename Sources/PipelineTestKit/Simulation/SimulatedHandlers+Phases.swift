import Conversation
import IntentModel

// What handlers do in each phase. It depends on the request, the phase, and how often the phase was called.
extension SimulatedHandlers {
    static let places = ["north", "northeast", "maybe"].map { JSON.string($0) }
    static let party: [JSON] = [.number(1), .number(2)]
    /// The one intent whose handler may be called once.
    static let once = "Pay"
    static let intents = ["Ride", "Ride", "Pay"]

    /// The policy of each intent.
    static func policy(of intent: String) -> IntentPolicy? {
        guard intent == once else { return nil }
        return IntentPolicy(effect: .atMostOnce, asks: AskPolicy(maximum: 3, noAnswer: 1, noMatch: 2, finally: .handToApp))
    }

    /// Whether the confirmer of this request requires the person's agreement.
    static func asks(_ key: String, _ seed: UInt64) -> Bool {
        var random = SimulationRandom(seed: seed, "asks", key)
        return random.once(in: 2)
    }

    func resolve(_ invocation: IntentInvocation, _ random: inout SimulationRandom) -> [ResolvedParameter] {
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
        // A remembered value replaces one that the person did not give.
        let party = invocation.value("party") ?? invocation.context.memory["party"].flatMap { random.once(in: 2) ? $0 : nil }
        var isFine = false
        switch place {
        case .success: isFine = true
        case .confirmationRequired: isFine = chosen.contains("dropOff")
        default: break
        }
        if isFine {
            var values = invocation
            values.parameters.removeAll { $0.name == "party" }
            if let party { values.parameters.append(ParameterState(name: "party", value: party)) }
            let text = values.values
            books.note { $0.handlers.resolved[invocation.key, default: []].insert(text) }
        }
        return [
            ResolvedParameter(name: "dropOff", resolution: place),
            ResolvedParameter(name: "party", resolution: party.map { .success($0) } ?? .notRequired, memoryKey: "party"),
        ]
    }

    func confirm(_ invocation: IntentInvocation, _ random: inout SimulationRandom) -> PhaseOutcome {
        if let outcome = wonder(invocation) { return outcome }
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

    func handle(
        _ invocation: IntentInvocation, _ process: String, _ random: inout SimulationRandom, _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        if let outcome = wonder(invocation) { return outcome }
        switch random.below(24) {
        case 0: return .responded(IntentResponse(.failure))
        case 1: return .responded(IntentResponse(.failureRequiringAppLaunch))
        case 2, 16: return .responded(IntentResponse(.continueInApp))
        case 3...4: return .responded(IntentResponse(.handleInApp))
        case 5: return .responded(IntentResponse(.inProgress))
        case 6...8 where invocation.intent != Self.once:
            // The effect happens, and then the report fails.
            books.note { $0.effect(invocation, limits) }
            return .failed(IntentFailure(.retry(after: .milliseconds(200)), reason: .internal, message: "lost the answer"))
        case 9...11:
            report(IntentProgress(fraction: 0.3))
            try await takeTime(process)
            report(IntentProgress(fraction: 0.6))
        case 6...8, 12...14: try await takeTime(process)
        case 15:
            // Ignores a cancel.
            do { try await takeTime(process) } catch is CancellationError {}
        default: break
        }
        if isDead(process) { throw Killed() }
        books.note { $0.effect(invocation, limits) }
        var response = IntentResponse(.success)
        response.offersUpdates = random.once(in: 2)
        return .responded(response)
    }

    /// Code that prompts the person while it runs: once, after recording something that must not be done again.
    ///
    /// - Returns: `nil` if there is no prompt, or if it was answered.
    private func wonder(_ invocation: IntentInvocation) -> PhaseOutcome? {
        var random = SimulationRandom(seed: limits.seed, "wonders", invocation.key, invocation.phase.rawValue)
        guard random.once(in: 5) else { return nil }
        if let answer = books.note({ $0.answer(invocation) }) {
            return answer.isAccepted ? nil : .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: "rather not"))
        }
        let kind: PhaseQuestion.Kind =
            switch random.below(3) {
            case 0: .value
            case 1: .confirmValue(.number(5))
            default: .choice(["1", "2"].map { ParameterOption(id: $0, title: $0, value: .string($0)) })
            }
        let quote = books.note { $0.quote(invocation) }
        return .asked(PhaseQuestion(id: "sure", kind: kind, title: "Sure", recorded: ["quote": quote]))
    }

    /// Reports updates until the last one.
    func update(
        _ invocation: IntentInvocation, _ process: String, _ random: inout SimulationRandom, _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        func tell(_ update: IntentUpdate) {
            var progress = IntentProgress()
            progress.update = update
            report(progress)
        }
        for phase in ["ongoing", "arriving"] {
            tell(IntentUpdate(phase: phase))
            if random.once(in: 2) { try await takeTime(process) }
        }
        switch random.below(6) {
        case 0: return .failed(IntentFailure(.failure(.failure), reason: .internal, message: "lost sight of it"))
        case 1: tell(IntentUpdate(phase: "unknown"))
        case 2: break
        default: tell(IntentUpdate(phase: IntentUpdate.completed, completionStatus: "completed"))
        }
        return .responded(IntentResponse(.success))
    }
}
