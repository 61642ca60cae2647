public import IntentModel

/// The error of a test whose phase ended differently than the test requires: `handle of 'WaterPlant' failed: …`.
public struct UnexpectedOutcome: Error, Sendable, Hashable, CustomStringConvertible {
    public let phase: Phase
    public let intent: String
    /// The outcome of the phase.
    public let outcome: PhaseOutcome
    /// The parameter that the test asked for, if the intent does not declare it.
    let missing: String?

    package init(_ outcome: PhaseOutcome, of phase: Phase, _ intent: String, missing: String? = nil) {
        self.phase = phase
        self.intent = intent
        self.outcome = outcome
        self.missing = missing
    }

    public var description: String {
        let call = "\(phase.rawValue) of '\(intent)'"
        switch outcome {
        case .resolved(let all, _, _, _):
            guard let missing else { return "\(call) has no response, only resolutions: call resolve(_:_:) instead" }
            let names = all.map(\.name).joined(separator: ", ")
            return "'\(intent)' has no parameter '\(missing)'; it has \(names.isEmpty ? "none" : names)"
        case .responded(let response, _):
            return "\(call) has the response '\(response.code)': call respond(_:_:_:) instead"
        case .asked(let question):
            let text = question.dialog.map { ", “\($0)”" } ?? ""
            return
                "\(call) asks the person (question '\(question.id)'\(text)); pass a value, or test it with a TestConversation"
        case .failed(let failure):
            return
                "\(call) failed (\(failure.reason.rawValue)): \(failure.message)\(failure.field.map { " (at \($0))" } ?? "")"
        }
    }
}
