import Conversation
import IntentEvents
package import IntentModel
package import PersonGateway

/// The state of a request, derived from the events of its session. Every process that follows the results derives the
/// same state.
package struct RequestStanding: Sendable {
    /// An open prompt, with the attempts to answer it.
    package struct Question: Sendable {
        package var id: Identifier
        /// The prompt's data.
        package var prompt: JSON
        /// The page of options that was requested last; `nil` if the options are those of the prompt.
        package var page: JSON?
        /// The problem of the last answer.
        package var complaint: String?
        /// The number of answers that were rejected, or whose words were none.
        package var rejections = 0
        /// `true` if an answer was rejected because only the person's channel may give it.
        package var isRefused = false

        package init(id: Identifier, prompt: JSON, page: JSON? = nil, complaint: String? = nil) {
            (self.id, self.prompt, self.page, self.complaint) = (id, prompt, page, complaint)
        }

        /// The key of this question. The key changes after each rejected answer and after each page of options.
        package var key: String { "\(id)/\(rejections)\(page.map { "/\($0.digest)" } ?? "")" }
    }

    package enum State: Sendable {
        /// No event of the request was read yet.
        case unknown
        case working
        case asking(Question)
        /// The request was handed off to an app.
        case handedOff(JSON, isClaimed: Bool)
        case ended(JSON)
        case rejected(JSON)
    }

    package private(set) var state = State.unknown
    /// The latest report of progress.
    package private(set) var progress: JSON?
    /// The completion of the request. A handoff after a failure may still be open.
    private var completion: JSON?
    /// The answers to the open prompt whose effect is not known yet.
    private var answers: Set<Identifier> = []
    /// The answers whose words were none.
    private var refused: Set<Identifier> = []

    package init(of request: Identifier, in events: some Sequence<TimelineEvent>) {
        for event in events { apply(event, request) }
    }

    private mutating func apply(_ event: TimelineEvent, _ request: Identifier) {
        if event.origin != .results {
            guard event.type == .promptAnswered, case .asking(let question) = state,
                event.data.view["prompt"]?.identifier == question.id
            else {
                return
            }
            if !refused.contains(event.id) { answers.insert(event.id) }
            return
        }
        if event.type == .rejected { return applyRejection(event.data, request) }
        guard event.request == request else { return }
        let data = event.data.view
        switch event.type {
        case .promptIssued:
            answers = []
            state = .asking(Question(id: data["prompt"]?.identifier ?? "", prompt: event.data))
        // A reminder has all members of its prompt, whose own record the topic may have lost.
        case .promptReminded:
            let id = data["prompt"]?.identifier ?? ""
            if case .asking(var question) = state, question.id == id {
                question.prompt = event.data
                state = .asking(question)
                if data["reason"]?.string == PromptReminder.Reason.reminder.rawValue { return }
            } else {
                state = .asking(Question(id: id, prompt: event.data))
            }
            answers = []
        case .optionsListed:
            guard case .asking(var question) = state, data["prompt"]?.identifier == question.id else { return }
            question.page = event.data
            state = .asking(question)
        // The words of the answer were none: the person, or the agent, has to say something else.
        case .answerRead:
            guard case .asking(var question) = state, data["prompt"]?.identifier == question.id,
                let dialog = data["dialog"]?.string, let answer = data["event"]?.identifier,
                answer.hasPrefix(AgentCall.answerPrefix(question.id))
            else { return }
            // The record of the answer may be read after this one.
            refused.insert(answer)
            answers.remove(answer)
            question.rejections += 1
            question.complaint = dialog
            state = .asking(question)
        case .progressed:
            progress = event.data
            if answers.isEmpty, case .asking = state { return }
            state = .working
        case .handoffOffered: state = .handedOff(event.data, isClaimed: false)
        case .handoffClaimed: state = .handedOff(event.data, isClaimed: true)
        case .completed:
            completion = event.data
            state = .ended(event.data)
        case .handoffCompleted: if let completion { state = .ended(completion) }
        default: break
        }
    }

    private mutating func applyRejection(_ data: JSON, _ request: Identifier) {
        let rejection = data.view
        guard let event = rejection["event"]?.identifier else { return }
        if event == request {
            if case .unknown = state { state = .rejected(data) }
            return
        }
        // The coordinator checks each of the other parameters of an answer. A rejected parameter does not reject the
        // answer.
        if case .asking(let question) = state, !event.hasPrefix(AgentCall.answerPrefix(question.id)) {
            // The answer of another sender was refused.
            answers.remove(event)
            return
        }
        guard case .asking(var question) = state, rejection["field"]?.string?.hasPrefix("parameters.") != true
        else { return }
        answers.remove(event)
        question.rejections += 1
        question.complaint = rejection["message"]?.string
        // An answer that changes a present value is rejected for the same reason. Without the change, the agent may
        // still give the answer.
        if rejection["reason"]?.string == RejectionReason.unauthorized.rawValue,
            rejection["field"]?.string != "parameters"
        {
            question.isRefused = true
        }
        state = .asking(question)
    }

    /// The prompt that waits for an answer; `nil` if there is none.
    package var question: Question? { if case .asking(let question) = state, answers.isEmpty { question } else { nil } }

    /// The key of the prompt or handoff that the request waits for; `nil` while the pipeline works on the request, and
    /// after its end.
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
