public import IntentModel

/// The parts of an outcome, so that a test can compare one of them in a single line.
extension PhaseOutcome {
    /// The response of confirm or handle; `nil` for every other outcome.
    public var response: IntentResponse? { if case .responded(let response, _) = self { response } else { nil } }

    /// The confirmation that the person is asked for before the intent is handled; `nil` if there is none.
    public var confirmation: ConfirmationRequest? {
        switch self {
        case .resolved(_, let confirmation, _, _), .responded(_, let confirmation): confirmation
        case .asked, .failed: nil
        }
    }

    /// The question that the phase asks; `nil` for every other outcome.
    public var question: PhaseQuestion? { if case .asked(let question) = self { question } else { nil } }

    /// The error with which the phase failed; `nil` for every other outcome.
    public var failure: IntentFailure? { if case .failed(let failure) = self { failure } else { nil } }
}
