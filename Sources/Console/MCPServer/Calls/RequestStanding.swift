import IntentEvents
package import IntentModel
package import PersonGateway

/// How a request is, as the events of its session tell it. Every process that follows the results comes to the same.
package struct RequestStanding: Sendable {
    /// A prompt that is open, with what was tried to answer it.
    package struct Question: Sendable {
        package var id: Identifier
        /// The prompt's data.
        package var prompt: JSON
        /// The page of options that was asked for last; `nil` for those of the prompt.
        package var page: JSON?
        /// Why the last answer was not accepted.
        package var complaint: String?
        /// How many answers were not accepted.
        package var rejections = 0
        /// Whether an answer was refused because only the person's channel may give it.
        package var isRefused = false

        package init(id: Identifier, prompt: JSON, page: JSON? = nil, complaint: String? = nil) {
            (self.id, self.prompt, self.page, self.complaint) = (id, prompt, page, complaint)
        }

        /// Names this question: another one after each answer that was not accepted, and after each page.
        package var key: String { "\(id)/\(rejections)\(page.map { "/\($0.digest)" } ?? "")" }
    }

    package enum State: Sendable {
        /// Nothing has been told about it yet.
        case unknown
        case working
        case asking(Question)
        /// An app has to go on.
        case handedOff(JSON, isClaimed: Bool)
        case ended(JSON)
        case rejected(JSON)
    }

    package private(set) var state = State.unknown
    /// The last report of progress.
    package private(set) var progress: JSON?
    /// The answers to the open prompt that nothing was heard of yet.
    private var answers: Set<Identifier> = []

    package init(of request: Identifier, in events: some Sequence<TimelineEvent>) {
        for event in events { take(event, request) }
    }

    private mutating func take(_ event: TimelineEvent, _ request: Identifier) {
        if event.origin != .results {
            guard event.type == .promptAnswered, case .asking(let question) = state, event.data.view["prompt"]?.identifier == question.id
            else {
                return
            }
            answers.insert(event.id)
            return
        }
        if event.type == .rejected { return rejected(event.data, request) }
        guard event.request == request else { return }
        let data = event.data.view
        switch event.type {
        case .promptIssued:
            answers = []
            state = .asking(Question(id: data["prompt"]?.identifier ?? "", prompt: event.data))
        case .optionsListed:
            guard case .asking(var question) = state, data["prompt"]?.identifier == question.id else { return }
            question.page = event.data
            state = .asking(question)
        case .progressed:
            progress = event.data
            if answers.isEmpty, case .asking = state { return }
            state = .working
        case .handoffOffered: state = .handedOff(event.data, isClaimed: false)
        case .handoffClaimed: state = .handedOff(event.data, isClaimed: true)
        case .completed: state = .ended(event.data)
        default: break
        }
    }

    private mutating func rejected(_ data: JSON, _ request: Identifier) {
        let rejection = data.view
        guard let event = rejection["event"]?.identifier else { return }
        if event == request {
            if case .unknown = state { state = .rejected(data) }
            return
        }
        // The other parameters of an answer are checked one by one; the answer itself counts.
        guard case .asking(var question) = state, event.hasPrefix(AgentCall.answerPrefix(question.id)),
            rejection["field"]?.string?.hasPrefix("parameters.") != true
        else { return }
        answers.remove(event)
        question.rejections += 1
        question.complaint = rejection["message"]?.string
        // A change of a value that is there is refused, too. Without it, the answer is still the agent's to give.
        if rejection["reason"]?.string == RejectionReason.unauthorized.rawValue, rejection["field"]?.string != "parameters" {
            question.isRefused = true
        }
        state = .asking(question)
    }

    /// The prompt that waits for an answer.
    package var question: Question? { if case .asking(let question) = state, answers.isEmpty { question } else { nil } }

    /// What it waits for outside of the pipeline: a prompt or a handoff; `nil` while it is worked on, and when it has ended.
    package var waitsFor: String? {
        switch state {
        case .asking: question?.key
        case .handedOff(let offer, let isClaimed): "\(offer.view["handoff"]?.string ?? "")/\(isClaimed)"
        default: nil
        }
    }

    package var isOver: Bool {
        switch state {
        case .ended, .rejected: true
        default: false
        }
    }
}
