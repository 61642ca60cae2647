public import IntentModel

/// The parts of a resolution, so that a test can compare one of them in a single line.
extension ParameterResolution {
    /// The value of `success`; `nil` for every other result.
    public var value: JSON? { if case .success(let value) = self { value } else { nil } }

    /// The options of `disambiguation`; empty for every other result.
    public var options: [ParameterOption] { if case .disambiguation(let options, _) = self { options } else { [] } }

    /// The reason of `unsupported`; `nil` for every other result.
    public var reason: String? { if case .unsupported(let reason, _) = self { reason } else { nil } }

    /// The words for the person; `nil` if the result has no text of its own.
    public var dialog: String? {
        switch self {
        case .success, .notRequired: nil
        case .needsValue(let dialog), .disambiguation(_, let dialog), .confirmationRequired(_, let dialog),
            .unsupported(_, let dialog):
            dialog
        }
    }
}
