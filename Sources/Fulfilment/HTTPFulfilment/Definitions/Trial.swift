import ArgumentParser
import Conversation
import Foundation
import IntentFiles
import IntentKit
import IntentRuntime
import PipelineService

/// One request for a declared intent, whose phases are called one after the other, with their answers on standard
/// output.
struct Trial {
    let intent: FileIntent
    let registry: IntentRegistry
    let locale: String?
    let lastProblem: LastProblem
    /// A new id, so that a service recognizes no earlier request.
    private let request = Identifier(UUID().uuidString)

    /// - Returns: The resolved parameters.
    /// - Throws: `ExitCode.needsInput` if the person would be asked for a value.
    func resolve(_ given: [ParameterState]) async throws -> [ParameterState] {
        let outcome = await perform(.resolve, given)
        guard case .resolved(let all, _, _, _) = outcome else { throw ended(outcome, .resolve) }
        report(.resolve, all.isEmpty ? ["nothing to resolve"] : all.map { "\($0.name): \(text(of: $0))" })
        let open = all.filter { $0.resolution.state == nil }.map(\.name)
        guard open.isEmpty else {
            complain("Give a value that can be used: \(open.map { "-p \($0)=…" }.joined(separator: " "))")
            throw ExitCode.needsInput
        }
        return all.compactMap { parameter in
            guard let (value, origin) = parameter.resolution.state else { return nil }
            var state = ParameterState(name: parameter.name, value: value, origin: origin)
            state.isSecret = parameter.isSecret
            return state
        }
    }

    /// - Returns: The parameters to handle, with the values that confirm proposes; `nil` if the app handles the intent.
    func confirm(_ resolved: [ParameterState]) async throws -> [ParameterState]? {
        let outcome = await perform(.confirm, resolved)
        guard case .responded(let response, let confirmation) = outcome else { throw ended(outcome, .confirm) }
        var lines = lines(of: response, given: resolved)
        if !intent.declaration.phases.contains(.confirm) { lines[0] += ", without a call: 'phases' has no confirm" }
        if confirmation != nil { lines.append("the person has to agree") }
        report(.confirm, lines)
        if response.code.isFailure { throw ExitCode.failed }
        guard [.ready, .success, .userConfirmationRequired].contains(response.code) else {
            report(.handle, ["not called: the app does it"])
            return nil
        }
        return resolved.map { $0.accepting(response.proposed[$0.name]) }
    }

    func handle(_ agreed: [ParameterState]) async throws {
        let outcome = await perform(.handle, agreed)
        guard case .responded(let response, _) = outcome else { throw ended(outcome, .handle) }
        var lines = lines(of: response, given: agreed)
        if response.code == .inProgress { lines.append("a worker would wait for its outcome at --callback-url") }
        report(.handle, lines)
        if response.code.isFailure { throw ExitCode.failed }
    }

    private func perform(_ phase: Phase, _ parameters: [ParameterState]) async -> PhaseOutcome {
        let now = Int64(Date().timeIntervalSince1970 * 1_000)
        let limit = intent.declaration.policy[phase].timeout ?? SessionPolicy().phaseTimeout
        var context = InvocationContext(
            session: "try", request: request, deadline: now + Int64(limit / .milliseconds(1)),
            idempotencyKey: Identifier("try/\(request)"), locale: locale)
        (context.now, context.timeZone) = (now, TimeZone.current.identifier)
        context.replyTo = "try"
        return await registry.perform(
            IntentInvocation(phase: phase, intent: intent.name, parameters: parameters, context: context)
        ) { _ in }
    }

    /// Reports an outcome without an answer.
    private func ended(_ outcome: PhaseOutcome, _ phase: Phase) -> ExitCode {
        switch outcome {
        case .asked(let question):
            report(phase, ["asks the person: \(question.dialog?.printable ?? "to sign in")"])
            return .needsInput
        case .failed(let failure):
            guard let problem = lastProblem.text, let fulfilment = intent.fulfilment else {
                complain(failure.message)
                return .failed
            }
            complain("\(fulfilment.place(of: "url", in: intent.declaration)): \(phase.rawValue): \(problem.printable)")
            if case .retry = failure.disposition {
                complain("A worker would try again later. Is the service running, and is this its URL?")
            }
            return .failed
        case .resolved, .responded: return .failed
        }
    }
}

// MARK: Words

extension Trial {
    private func report(_ phase: Phase, _ lines: [String]) {
        for (index, line) in lines.enumerated() {
            let label = index == 0 ? phase.rawValue : ""
            print(label.padding(toLength: 10, withPad: " ", startingAt: 0) + line.forTerminal)
        }
    }

    private func text(of parameter: ResolvedParameter) -> String {
        func value(_ json: JSON) -> String { parameter.isSecret ? "(secret)" : Self.text(json) }
        switch parameter.resolution {
        case .success(let json): return value(json)
        case .notRequired: return "no value"
        case .needsValue(let dialog): return asks(dialog, parameter.options)
        case .disambiguation(let options, let dialog): return asks(dialog, options)
        case .confirmationRequired(let json, let dialog): return "\(value(json))? \(asks(dialog))"
        case .unsupported(let reason, let dialog):
            return "unsupported (\(reason.printable)): \(asks(dialog, parameter.options))"
        }
    }

    private func asks(_ dialog: String?, _ options: [ParameterOption] = []) -> String {
        let titles = options.prefix(10).map { "\n            - \($0.title.printable)" }.joined()
        let more = options.count > 10 ? "\n            and \(options.count - 10) more" : ""
        return "asks \(dialog.map { "\"\($0.printable)\"" } ?? "the person")\(titles)\(more)"
    }

    private func lines(of response: IntentResponse, given: [ParameterState]) -> [String] {
        Self.lines(of: response, secrets: Set(given.filter(\.isSecret).map(\.name)))
    }

    /// - Parameter secrets: The names of the parameters whose proposed values are not shown.
    static func lines(of response: IntentResponse, secrets: Set<String>) -> [String] {
        ["\(response.code.rawValue.printable)\(response.dialog.map { ": \($0.printable)" } ?? "")"]
            + response.proposed.sorted { $0.key < $1.key }.map {
                "proposes \($0.key): \(secrets.contains($0.key) ? "(secret)" : text($0.value))"
            }
            + response.values.sorted { $0.key < $1.key }.map { "\($0.key.printable): \(text($0.value))" }
            + response.items.prefix(10).map { "- \($0.title.printable)" }
    }

    private static func text(_ json: JSON) -> String {
        String((json.view.string ?? json.description).prefix(200)).printable
    }
}

extension ParameterResolution {
    /// The state for the next phase; `nil` if the parameter is open.
    fileprivate var state: (value: JSON?, origin: ParameterState.Origin)? {
        switch self {
        case .success(let value): (value, .resolved)
        case .notRequired: (nil, .notRequired)
        case .needsValue, .disambiguation, .confirmationRequired, .unsupported: nil
        }
    }
}

extension ParameterState {
    /// The parameter with the value that confirm proposes, as the person's agreement makes it.
    func accepting(_ proposed: JSON?) -> ParameterState {
        guard let proposed else { return self }
        var state = ParameterState(name: name, value: proposed, origin: .confirmed)
        state.isSecret = isSecret
        return state
    }
}
