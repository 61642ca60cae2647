package import IntentEvents

/// One of the inputs of a partition.
package enum JournalInput: String, Sendable, Hashable, CaseIterable {
    case requests, answers, outcomes

    /// `nil` if the topic is none of the inputs.
    package init?(_ topic: String, _ topics: Topics) {
        switch topic {
        case topics.requests: self = .requests
        case topics.answers: self = .answers
        case topics.outcomes: self = .outcomes
        default: return nil
        }
    }

    package func topic(_ topics: Topics) -> String {
        switch self {
        case .requests: topics.requests
        case .answers: topics.answers
        case .outcomes: topics.outcomes
        }
    }

    /// The option of `intents journal repair` that sets it.
    package var option: String { "--\(rawValue)-at" }
}

extension JournalStamp {
    /// How far an input is decided on.
    package subscript(_ input: JournalInput) -> InputPosition {
        get {
            switch input {
            case .requests: InputPosition(next: requests, last: lastRequest, open: openRequests)
            case .answers: InputPosition(next: answers, last: lastAnswer, open: openAnswers)
            case .outcomes: InputPosition(next: outcomes, last: lastOutcome, open: openOutcomes)
            }
        }
        set {
            switch input {
            case .requests: (requests, lastRequest, openRequests) = (newValue.next, newValue.last, newValue.open)
            case .answers: (answers, lastAnswer, openAnswers) = (newValue.next, newValue.last, newValue.open)
            case .outcomes: (outcomes, lastOutcome, openOutcomes) = (newValue.next, newValue.last, newValue.open)
            }
        }
    }
}
