import Conversation
import IntentModel
import PipelineTestKit

// The intents of the simulation, the values that persons say, and the values that a resolver accepts.
extension SimulatedHandlers {
    /// The intent with a once-only handler.
    static let once = "Pay"
    /// The intent with a required secret, to which the person and another have to agree.
    static let secretive = "Order"
    /// The other one who has to agree, and their role.
    static let approver = (principal: Principal(.user, "approver"), role: "board" as Identifier)
    /// The one who may agree if the approver delegates.
    static let deputy = Principal(.user, "deputy")
    static let intents = ["Ride", "Ride", once, secretive]

    static let places = ["north", "northeast", "maybe"].map { JSON.string($0) }
    static let party: [JSON] = [.number(1), .number(2)]
    /// The values that persons say. A resolver accepts the first ones, asks about "n" and "maybe", and can't use
    /// "moon".
    static let spoken = ["north", "north", "north", "northeast", "n", "n", "maybe", "moon"]
    /// The prefix of every secret value. Nothing else contains it.
    static let secretMark = "secret-"
    static let secrets = ["one", "one", "two", "n", "maybe", "wrong"].map { JSON.string(secretMark + $0) }
    /// The items that a handler finds.
    static let items = ["a", "b"].map {
        ParameterOption(id: $0, title: "Item \($0)", value: .object(["id": .string($0)]))
    }

    /// Returns the approval that a confirmation of an intent needs, if it needs one.
    static func approval(of intent: String) -> Approval? {
        guard intent == secretive else { return nil }
        return Approval(
            by: [.principal(Principal(.user, "nobody"))], count: 2, includesRequester: true, timeout: .seconds(40),
            reminders: [.seconds(8)], escalation: .init(after: .seconds(2), to: [.role(approver.role)]))
    }

    /// Returns the policy of an intent, if it has one.
    static func policy(of intent: String) -> IntentPolicy? {
        switch intent {
        case once:
            IntentPolicy(
                effect: .atMostOnce,
                asks: AskPolicy(maximum: 3, noAnswer: 1, unsupported: 0, offersOptions: false, finally: .handToApp))
        case secretive:
            IntentPolicy(
                handle: PhasePolicy(
                    timeout: .seconds(40), announceAfter: .seconds(2),
                    retry: RetryPolicy(firstDelay: .milliseconds(300), maximumAttempts: 3, neverRetried: [.invalid])),
                answerTimeout: .seconds(40), inProgressTimeout: .seconds(120),
                asks: AskPolicy(maximum: 4, noAnswer: 1, unsupported: 1, finally: .fail("failureNoValue")))
        default: nil
        }
    }

    /// Returns the phases that ask for the person's agreement to this request: none, one, or both.
    static func asking(_ key: String, _ seed: UInt64) -> Set<Phase> {
        var random = SimulationRandom(seed: seed, "asks", key)
        return random.once(in: 2) ? random.pick([[.resolve], [.confirm], [.resolve, .confirm]]) : []
    }

    func resolve(_ invocation: IntentInvocation, _ random: inout SimulationRandom) -> PhaseOutcome {
        // A remembered value replaces one that the person did not give.
        let party =
            invocation.value("party") ?? invocation.context.memory["party"].flatMap { random.once(in: 2) ? $0 : nil }
        var place = ResolvedParameter(
            name: "dropOff", resolution: Self.resolution(of: invocation.value("dropOff"), in: Self.places))
        place.options = Self.options(Self.places)
        var resolved = [
            place,
            ResolvedParameter(
                name: "party", resolution: party.map { .success($0) } ?? .notRequired, memoryKey: "party"),
            Self.stops(invocation),
        ]
        // An authenticated person's value is remembered beyond the session.
        resolved[1].memoryScope = .person
        if invocation.intent == Self.secretive {
            let accepted = ["one", "two", "maybe"].map { JSON.string(Self.secretMark + $0) }
            // The memory key must have no effect: a secret is not remembered.
            var pin = ResolvedParameter(
                name: "pin", resolution: Self.resolution(of: invocation.value("pin"), in: accepted), isSecret: true,
                memoryKey: "pin")
            pin.memoryScope = .person
            resolved.append(pin)
        }
        let asks = Self.asking(invocation.key, limits.seed).contains(.resolve)
        return .resolved(
            resolved,
            confirmation: recordResolved(resolved, of: invocation).flatMap {
                asks ? ConfirmationRequest(summary: $0, approval: Self.approval(of: invocation.intent)) : nil
            })
    }

    /// Records the values that the next phase may be called with, unless the person must still be asked about a
    /// parameter.
    ///
    /// - Returns: The values that may be shown to the person; `nil` if the person must still be asked.
    private func recordResolved(_ resolved: [ResolvedParameter], of invocation: IntentInvocation) -> String? {
        var values = invocation
        for parameter in resolved {
            let state = invocation.parameters.first { $0.name == parameter.name }
            switch parameter.resolution {
            case .success(let value):
                values.parameters.removeAll { $0.name == parameter.name }
                values.parameters.append(ParameterState(name: parameter.name, value: value))
            case .notRequired: break
            case .confirmationRequired: if state?.origin != .chosen, state?.origin != .confirmed { return nil }
            case .needsValue, .disambiguation, .unsupported: return nil
            }
        }
        let text = values.values
        books.withLedger { $0.handlers.resolved[invocation.key, default: []].insert(text) }
        return values.publicValues
    }

    /// Returns the resolution of one value. The person has to choose for "n" and to confirm "maybe", with or without
    /// the secret mark.
    private static func resolution(of value: JSON?, in accepted: [JSON]) -> ParameterResolution {
        guard let value else { return .needsValue(dialog: nil) }
        let text = value.view.string ?? ""
        if text == "n" || text == secretMark + "n" { return .disambiguation(options(accepted), dialog: nil) }
        if text.hasSuffix("maybe") { return .confirmationRequired(value, dialog: nil) }
        return accepted.contains(value) ? .success(value) : .unsupported(reason: "outsideServiceArea", dialog: nil)
    }

    private static func options(_ values: [JSON]) -> [ParameterOption] {
        values.prefix(2).enumerated().map { ParameterOption(id: "\($0 + 1)", title: "Option \($0 + 1)", value: $1) }
    }

    /// Resolves a list by its elements. The person is asked about the first element that needs it.
    private static func stops(_ invocation: IntentInvocation) -> ResolvedParameter {
        let state = invocation.parameters.first { $0.name == "stops" }
        guard let value = state?.value else { return ResolvedParameter(name: "stops", resolution: .notRequired) }
        let list = value.view.elements.map(\.json)
        var origins = state?.elements ?? []
        if origins.count != list.count { origins = list.map { _ in .given } }
        for index in list.indices where origins[index] == .given {
            let resolution = resolution(of: list[index], in: places)
            guard case .success = resolution else {
                return ResolvedParameter(
                    name: "stops", resolution: resolution,
                    element: ListElement(index: index, list: list, origins: origins))
            }
            origins[index] = .resolved
        }
        return ResolvedParameter(name: "stops", resolution: .success(value))
    }
}
