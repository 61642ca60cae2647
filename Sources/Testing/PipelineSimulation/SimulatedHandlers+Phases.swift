import Conversation
import IntentModel
import PipelineTestKit

// The behaviour of handlers that confirm and handle. It depends on the request, the phase and the number of earlier
// calls.
extension SimulatedHandlers {
    func confirm(_ invocation: IntentInvocation, _ random: inout SimulationRandom) -> PhaseOutcome {
        if let outcome = promptFromCode(invocation) { return outcome }
        let asks = Self.asking(invocation.key, limits.seed).contains(.confirm)
        var response = IntentResponse(.ready)
        switch random.below(31) {
        case 0: response.code = .failure
        case 1: response.code = .failureRequiringAppLaunch
        case 2: response.code = .continueInApp
        case 3: response.code = .handleInApp
        case 4...7 where asks: response.code = .userConfirmationRequired
        case 8...11: response.code = .success
        // A code of another phase.
        case 12: response.code = .inProgress
        default: break
        }
        if random.once(in: 4) {
            response.userActivity = UserActivity(activityType: "Ride")
            response.userActivity?.persistentIdentifier = "ride"
        }
        if random.once(in: 3) { response.validFor = .milliseconds(random.within(0...2_000)) }
        if random.once(in: 5) { response.items = Self.items }
        if invocation.context.answers.contains(where: { $0.value != nil }) {
            response.appliedAnswers = ["note": .string("noted")]
        }
        if response.code == .ready || response.code == .success, random.once(in: 8) {
            propose(&response, invocation, &random)
        }
        guard !response.code.isFailure else { return .responded(response) }
        books.withLedger { ledger in
            ledger.handlers.ready[invocation.key, default: []].insert(invocation.values)
            ledger.extendConfirmation(invocation.key, to: response.validFor)
        }
        let summary =
            response.proposed.isEmpty ? invocation.publicValues : invocation.changed(response.proposed).publicValues
        return .responded(
            response,
            confirmation: asks || !response.proposed.isEmpty
                ? ConfirmationRequest(summary: summary, approval: Self.approval(of: invocation.intent)) : nil)
    }

    /// Proposes a value that the request does not have.
    private func propose(
        _ response: inout IntentResponse, _ invocation: IntentInvocation, _ random: inout SimulationRandom
    ) {
        let name = random.once(in: 2) ? "party" : "dropOff"
        let values = name == "party" ? Self.party : Array(Self.places.prefix(2))
        guard let other = values.last(where: { $0 != invocation.value(name) }) else { return }
        response.proposed = [name: other]
        let changed = invocation.changed(response.proposed).values
        books.withLedger { $0.handlers.proposed[invocation.key, default: []].insert(changed) }
    }

    func handle(
        _ invocation: IntentInvocation, _ process: String, _ random: inout SimulationRandom,
        _ report: @Sendable (IntentProgress) -> Void
    ) async throws -> PhaseOutcome {
        if random.once(in: 5) {
            report(IntentProgress(fraction: 0.3))
            report(IntentProgress(fraction: random.once(in: 3) ? 0.3 : 0.6))
        }
        if let outcome = promptFromCode(invocation) { return outcome }
        if random.once(in: 3) {
            do { try await waitForFinish(process, in: invocation) } catch let error as CancellationError {
                // Some handlers ignore a cancel, and some then hand over to an app.
                if !random.once(in: 3) { throw error }
                if random.once(in: 3) {
                    return .responded(IntentResponse(random.pick([.continueInApp, .handleInApp])))
                }
            }
        }
        if isDead(process) { throw Killed() }
        if let outcome = fate(of: invocation) { return outcome }
        switch random.below(24) {
        case 0: return .responded(IntentResponse(.failure))
        case 1: return .responded(IntentResponse(.failureRequiringAppLaunch))
        case 2:
            var failure = IntentFailure(
                .failure("failureRequiringInAppAuthentication"), reason: .internal, message: "sign in first")
            failure.activity = UserActivity(activityType: "signIn")
            return .failed(failure)
        case 3: return .responded(IntentResponse(.continueInApp))
        case 4...5: return .responded(IntentResponse(.handleInApp))
        case 6: return .failed(IntentFailure(.retry(after: .milliseconds(100)), reason: .busy, message: "not yet"))
        case 7...8 where !limits.atMostOnce.contains(invocation.intent):
            // The effect happens, and then the report fails.
            books.withLedger { $0.effect(invocation, limits) }
            return .failed(
                IntentFailure(.retry(after: .milliseconds(200)), reason: .internal, message: "lost the answer"))
        default: break
        }
        books.withLedger { $0.effect(invocation, limits) }
        return .responded(success(invocation, &random))
    }

    /// Returns the outcome that a service has fixed for an idempotency key, if any. A repeat under the same key gets
    /// the same outcome. Only then may a call with other values follow a failure.
    private func fate(of invocation: IntentInvocation) -> PhaseOutcome? {
        var random = SimulationRandom(seed: limits.seed, "fate", invocation.context.idempotencyKey.text)
        switch random.below(16) {
        case 0:
            books.withLedger { $0.handlers.deferred[invocation.key, default: []].append(invocation) }
            return .responded(IntentResponse(.inProgress))
        case 1:
            var response = IntentResponse("failureFullyBooked")
            propose(&response, invocation, &random)
            books.withLedger { $0.extendConfirmation(invocation.key, to: nil) }
            return .responded(
                response,
                confirmation: ConfirmationRequest(
                    summary: invocation.changed(response.proposed).publicValues,
                    approval: Self.approval(of: invocation.intent))
            )
        default: return nil
        }
    }

    /// Returns a success with its possible consequences: a choice among items, another intent, remembered values, live
    /// updates.
    func success(_ invocation: IntentInvocation, _ random: inout SimulationRandom) -> IntentResponse {
        var response = IntentResponse(.success)
        response.offersUpdates = random.once(in: 2)
        if random.once(in: 4) {
            response.items = Self.items
            response.choice = ItemChoice(remembers: ["favourite": "id"])
        }
        if random.once(in: 5) {
            let opened = random.pick(Self.intents)
            var parameters: [String: JSON] = ["dropOff": .string("north")]
            // The secret is passed on to the opened intent. The person's side must not see the secret there either.
            if opened == Self.secretive, let pin = invocation.value("pin") { parameters["pin"] = pin }
            response.opensIntent = OpenedIntent(intent: Identifier(opened), parameters: parameters)
        }
        if random.once(in: 4) { response.remembered = ["last": .string("north")] }
        var own = SimulationRandom(seed: limits.seed, "home", invocation.key)
        if own.once(in: 4) { response.rememberedForPerson = ["home": .string("north")] }
        return response
    }

    /// Prompts the person from running code, once, after recording something that must not be done again.
    ///
    /// - Returns: `nil` if there is no prompt, or if the person has accepted.
    private func promptFromCode(_ invocation: IntentInvocation) -> PhaseOutcome? {
        var random = SimulationRandom(seed: limits.seed, "wonders", invocation.key, invocation.phase.rawValue)
        guard random.once(in: 5) else { return nil }
        if let answer = books.withLedger({ $0.answer(invocation) }) {
            return answer.isAccepted
                ? nil : .failed(IntentFailure(.failure(.cancelled), reason: .unexpected, message: "rather not"))
        }
        let kind: PhaseQuestion.Kind =
            switch random.below(4) {
            case 0: .value
            case 1: .confirmValue(.number(5))
            case 2: .confirmIntent
            default: .choice(["1", "2"].map { ParameterOption(id: $0, title: $0, value: .string($0)) })
            }
        let quote = books.withLedger { $0.quote(invocation) }
        return .asked(
            PhaseQuestion(
                id: "sure", kind: kind, parameter: invocation.phase == .confirm ? "note" : nil, title: "Sure",
                dialog: Self.sure,
                recorded: ["quote": quote]))
    }

    /// The dialog of a prompt from code. The person's side uses it to distinguish the prompt from the intent's own
    /// confirmation.
    static let sure = "Sure?"
}
