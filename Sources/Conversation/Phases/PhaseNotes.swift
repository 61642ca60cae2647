public import IntentModel

/// What a phase has asked and recorded so far. It gets this when it runs again: after an answer, another try, or another round of resolving. It is forgotten when
/// another phase begins.
public struct PhaseNotes: Sendable, Hashable {
    /// At most one for each question, in the order in which they were first answered.
    public var answers: [PhaseAnswer]
    /// Whose notes they are; `nil` if there are none, or if an earlier version has written them.
    public var phase: Phase?
    /// By the names that the phase gave.
    public var recorded: [String: JSON]
    /// How often each question was asked.
    public var asks: [String: Int]
    /// The parameters that the person has said in answer to its questions: it may say how it has understood these, and no others.
    public var said: [String] = []

    public init(answers: [PhaseAnswer] = [], recorded: [String: JSON] = [:], asks: [String: Int] = [:]) {
        self.answers = answers
        self.recorded = recorded
        self.asks = asks
    }

    /// Notes an answer. It replaces one to the same question.
    mutating func note(_ answer: PhaseAnswer) {
        if let index = answers.firstIndex(where: { $0.question == answer.question }) {
            answers[index] = answer
        } else {
            answers.append(answer)
        }
    }

    /// `true` if the question asks whether a value is what an answer to it has meant, because the answer was doubtful.
    func isReading(_ kind: PhaseQuestion.Kind, _ question: String) -> Bool {
        guard case .confirmValue(let value) = kind else { return false }
        return answers.contains { $0.question == question && $0.isAccepted && $0.value != nil && $0.value != value }
    }

    func isReading(_ prompt: Prompt) -> Bool {
        guard prompt.kind == .confirmValue, let value = prompt.value, let question = prompt.question else {
            return false
        }
        return isReading(.confirmValue(value), question.id)
    }

    mutating func forget(_ question: String) { answers.removeAll { $0.question == question } }

    /// Bytes of all answers and of what is recorded.
    var size: Int {
        let said = answers.reduce(0) { $0 + $1.question.utf8.count + ($1.value?.bytes.count ?? 0) }
        return recorded.reduce(said) { $0 + $1.key.utf8.count + $1.value.bytes.count }
    }
}
