import Conversation
import IntentModel
import PipelineTestKit

// The words of persons in requests, answers and corrections.
extension SimulationWorld {
    /// - Parameter intent: The intent of the request. Defaults to any intent.
    func request(_ id: String, for intent: String? = nil, _ random: inout SimulationRandom) -> IntentRequest {
        let intent = intent ?? random.pick(SimulatedHandlers.intents)
        var parameters: [ParameterState] = []
        if !random.once(in: 4) { parameters.append(ParameterState(name: "dropOff", value: word(&random))) }
        if random.once(in: 3) {
            parameters.append(ParameterState(name: "party", value: random.pick(SimulatedHandlers.party)))
        }
        if random.once(in: 4) { parameters.append(ParameterState(name: "stops", value: list(&random))) }
        if intent == SimulatedHandlers.secretive, random.once(in: 2) {
            parameters.append(ParameterState(name: "pin", value: random.pick(SimulatedHandlers.secrets)))
        }
        var request = IntentRequest(
            id: Identifier(id), intent: Identifier(intent), parameters: parameters,
            whenBusy: random.once(in: 2) ? .queue : random.pick(IntentRequest.WhenBusy.allCases),
            deadline: random.once(in: 8) ? clock.now.advanced(by: .seconds(random.within(-1...40))) : nil,
            locale: random.once(in: 4) ? "de" : nil, attributes: random.once(in: 4) ? ["vip": .bool(true)] : [:])
        if script.older == nil, intent != SimulatedHandlers.secretive, random.once(in: 12) {
            // The person is asked which intent is meant, or the most likely intent is chosen.
            request.candidates = [intent, intent == SimulatedHandlers.once ? "Ride" : SimulatedHandlers.once].map {
                IntentCandidate(intent: Identifier($0), confidence: Double(random.within(0...4)) / 4)
            }
        }
        return request
    }

    /// Returns a suitable answer to the prompt.
    func answer(_ prompt: SessionBook.OpenPrompt, _ random: inout SimulationRandom) -> Answer {
        var answer = Answer(prompt: Identifier(prompt.id), action: .accept)
        switch prompt.kind {
        case .value where prompt.parameter == "pin": answer.value = random.pick(SimulatedHandlers.secrets)
        case .value: answer.value = random.once(in: 4) ? word(&random) : .string("north")
        case .choice: answer.option = random.pick(prompt.options.isEmpty ? ["1"] : prompt.options)
        case .confirmValue: if random.once(in: 6) { answer.action = .decline }
        case .confirmIntent, .signIn: break
        }
        return answer
    }

    static let agreements = ["yes", "Yes, please!", "ja"]

    /// Returns the answer in words, for some answers.
    ///
    /// The draws are separate from those of the moves, so that histories stay what they are without words.
    func inWords(_ answer: Answer, _ prompt: SessionBook.OpenPrompt, _ number: Int) -> Answer {
        var random = SimulationRandom(seed: script.seed, "words", "\(number)")
        guard script.older == nil, prompt.parameter != "pin", answer.parameters.isEmpty, random.once(in: 3) else {
            return answer
        }
        let words: String
        switch prompt.kind {
        case .signIn: return answer
        case _ where random.once(in: 6): words = random.pick(["repeat that", "what can I say?", "?!", "cancel"])
        case .value: words = answer.value?.view.string ?? "north"
        case .choice:
            let place = answer.option.flatMap { prompt.options.firstIndex(of: $0) } ?? 0
            words = place == 0 && random.once(in: 2) ? "the first one" : "number \(place + 1)"
        case .confirmValue, .confirmIntent:
            let isYes = answer.action == .accept && answer.value == nil
            words = isYes ? random.pick(Self.agreements) : random.pick(["no", "yes, but later", "I guess so", "maybe"])
        }
        return Answer(prompt: answer.prompt, utterance: Utterance(words))
    }

    /// Returns a parameter that the person changes.
    ///
    /// - Parameter request: The changed request. Its intent decides whether the person may change the secret, because
    ///   only an intent that declares the secret protects it.
    func change(of request: String?, _ session: String, _ random: inout SimulationRandom) -> ParameterState {
        switch random.below(6) {
        case 0...1:
            return ParameterState(
                name: "party", value: random.once(in: 3) ? .null : random.pick(SimulatedHandlers.party))
        case 2: return ParameterState(name: "stops", value: random.once(in: 4) ? .null : list(&random))
        case 3 where intent(of: request, session) == SimulatedHandlers.secretive:
            return ParameterState(name: "pin", value: random.pick(SimulatedHandlers.secrets))
        default: return ParameterState(name: "dropOff", value: random.once(in: 5) ? .null : word(&random))
        }
    }

    private func intent(of request: String?, _ session: String) -> String? {
        request.flatMap { id in books.withLedger { $0.requests["\(session)/\(id)"]?.intent } }
    }

    func word(_ random: inout SimulationRandom) -> JSON { .string(random.pick(SimulatedHandlers.spoken)) }

    private func list(_ random: inout SimulationRandom) -> JSON {
        .array((0..<random.within(1...3)).map { _ in word(&random) })
    }
}
