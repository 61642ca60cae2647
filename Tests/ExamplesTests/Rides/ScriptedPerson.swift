import IntentModel
import IntentRuntime
import PipelineTestKit
import SampleDomains

/// Plays one line of `requests.jsonl` through the three phases, as a coordinator would, and records the steps.
struct ScriptedPerson {
    var intent: String
    var parameters: [ParameterState]
    var attributes: [String: JSON] = [:]
    var answers: [String: [String]] = [:]
    /// The parameters and questions whose answers are each given once.
    var usesUp: Set<String> = []
    var session = "s"
    var locale: String?

    /// The kinds of results, prompts and responses in order, such as `dropOff:disambiguation`, `confirm:ready`,
    /// `handle:success`.
    private(set) var trace: [String] = []
    private(set) var end: String = ""
    private(set) var last: IntentResponse?

    init(
        _ intent: String, _ parameters: [ParameterState], attributes: [String: JSON] = [:],
        answers: [String: [String]] = [:]
    ) {
        self.intent = intent
        self.parameters = parameters
        self.attributes = attributes
        self.answers = answers
    }

    init?(line: String) {
        guard let view = try? JSONView(parsing: Array(line.utf8)), let session = view["session"]?.string,
            let intent = view["intent"]?.string,
            let parameters = view["parameters"], parameters.kind == .object, let answers = view["answers"],
            answers.kind == .object
        else { return nil }
        self.init(intent, parameters.members.map { ParameterState(name: $0.name, value: $0.value.json) })
        self.session = session
        attributes = Dictionary(
            (view["attributes"]?.members ?? []).map { ($0.name, $0.value.json) }, uniquingKeysWith: { $1 })
        for (name, value) in answers.members {
            self.answers[name] = value.string.map { [$0] } ?? value.elements.compactMap(\.string)
            if value.kind == .array { usesUp.insert(name) }
        }
    }

    mutating func run(with registry: IntentRegistry) async {
        for _ in 0..<12 {
            switch await perform(.resolve, registry) {
            case .resolved(let results, _, _, _):
                for result in results where !take(result) { return }
                if results.contains(where: { $0.resolution.isOpen }) { continue }
                return await confirm(with: registry)
            case .asked(let question): return finish("asked \(question.id)")
            case .failed(let failure): return finish("\(failure.reason.rawValue)")
            case .responded: return finish("a response to resolve")
            }
        }
        finish("asked too often")
    }

    private mutating func confirm(with registry: IntentRegistry) async {
        guard case .responded(let response, let confirmation) = await perform(.confirm, registry) else {
            return finish("confirm failed")
        }
        trace.append("confirm:\(response.code)")
        last = response
        if response.code != .ready { return finish("\(response.code)") }
        if confirmation != nil {
            trace.append("confirmIntent")
            guard answer("confirmIntent") == "yes" else { return finish("cancelled") }
        }
        var outcome = await perform(.handle, registry)
        if case .responded(let response, _) = outcome, response.code == .handleInApp {
            trace.append("handle:handleInApp")
            outcome = await perform(.handle, registry, isInApp: true)
        }
        guard case .responded(let handled, _) = outcome else { return finish("handle failed") }
        trace.append("handle:\(handled.code)")
        last = handled
        finish("\(handled.code)")
    }

    /// Records a result and, if the result asks something, puts the answer into the request. Returns `false` if the
    /// person has no answer.
    private mutating func take(_ result: ResolvedParameter) -> Bool {
        guard let index = parameters.firstIndex(where: { $0.name == result.name }) else {
            parameters.append(ParameterState(name: result.name, value: nil))
            return take(result)
        }
        trace.append("\(result.name):\(result.resolution.kind)")
        switch result.resolution {
        case .success(let value): parameters[index] = ParameterState(name: result.name, value: value, origin: .resolved)
        case .notRequired: parameters[index] = ParameterState(name: result.name, value: nil, origin: .notRequired)
        case .needsValue, .unsupported, .disambiguation, .confirmationRequired:
            guard let text = answer(result.name) else {
                finish("cancelled")
                return false
            }
            parameters[index] = ParameterState(name: result.name, value: .string(text))
            if case .disambiguation(let options, _) = result.resolution,
                let option = options.first(where: { $0.title == text })
            {
                parameters[index] = ParameterState(name: result.name, value: option.value, origin: .chosen)
            }
            if case .confirmationRequired(let value, _) = result.resolution {
                parameters[index] = ParameterState(
                    name: result.name, value: text == "yes" ? value : nil, origin: .confirmed)
                if text != "yes" { parameters[index].origin = .given }
            }
        }
        return true
    }

    private mutating func answer(_ name: String) -> String? {
        guard let text = answers[name]?.first else { return nil }
        if usesUp.contains(name) { answers[name]?.removeFirst() }
        return text
    }

    private mutating func perform(_ phase: Phase, _ registry: IntentRegistry, isInApp: Bool = false) async
        -> PhaseOutcome
    {
        let context = InvocationContext(
            session: Identifier(session), request: "\(session)-1", idempotencyKey: "\(session)-1", locale: locale,
            attributes: attributes,
            isInApp: isInApp)
        let progress = Recorder<IntentProgress>()
        let outcome = await registry.perform(
            IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context),
            report: { progress.record($0) })
        trace += progress.all.map { _ in "\(phase):progress" }
        return outcome
    }

    private mutating func finish(_ end: String) { self.end = end }
}

extension ParameterResolution {
    var kind: String {
        switch self {
        case .success: "success"
        case .notRequired: "notRequired"
        case .needsValue: "needsValue"
        case .disambiguation: "disambiguation"
        case .confirmationRequired: "confirmationRequired"
        case .unsupported(let reason, _): "unsupported(\(reason))"
        }
    }

    var isOpen: Bool {
        switch self {
        case .success, .notRequired: false
        default: true
        }
    }
}
