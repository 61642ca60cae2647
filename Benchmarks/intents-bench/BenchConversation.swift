import ArgumentParser
import Conversation
import IntentEvents
import IntentModel

/// What a request of the load leads to: an intent of the sample domains, and what the person says.
enum BenchConversation: String, CaseIterable, ExpressibleByArgument {
    /// No questions: three phases and a completion.
    case happyPath = "happy-path"
    /// One parameter is asked for.
    case prompt
    /// One parameter is asked for, and then whether to do it.
    case promptAndConfirmation = "prompt-and-confirmation"
    /// A list of three people, each resolved by itself. One of them is ambiguous, and the person chooses from two.
    case list

    var intent: String {
        switch self {
        case .happyPath: "GetRideStatus"
        case .prompt: "ListRideOptions"
        case .promptAndConfirmation: "RequestRide"
        case .list: "SearchForMessages"
        }
    }

    /// What the request contains.
    var parameters: [ParameterState] {
        switch self {
        case .happyPath: [ParameterState(name: "rideIdentifier", value: .string("DUB-BFQB23-3"))]
        case .prompt: []
        case .promptAndConfirmation: [ParameterState(name: "ride", value: .string("Economy"))]
        case .list: [ParameterState(name: "senders", value: .array(["Mia Ekman", "Anna", "John Adler"].map { .string($0) }))]
        }
    }

    /// How many prompts each request has to lead to.
    var prompts: Int {
        switch self {
        case .happyPath: 0
        case .prompt, .list: 1
        case .promptAndConfirmation: 2
        }
    }

    /// What the person answers to a prompt: yes, or the value that is asked for.
    func answer(to prompt: Identifier, _ result: ReceivedResult) -> Answer {
        var answer = Answer(prompt: prompt, action: .accept)
        switch result.data["parameter"]?.string {
        case "dropOff": answer.value = .string("Connolly Station")
        case "senders": answer.value = .string("Anna Costa")
        default: break
        }
        return answer
    }
}
