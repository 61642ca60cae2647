import ArgumentParser
import Conversation
import IntentModel

/// The conversation that each request of the load leads to: an intent of the sample domains, and the person's answers.
enum BenchConversation: String, CaseIterable, ExpressibleByArgument {
    /// No questions: three phases and a completion.
    case happyPath = "happy-path"
    /// One parameter is asked for.
    case prompt
    /// One parameter is asked for, and then a confirmation.
    case promptAndConfirmation = "prompt-and-confirmation"
    /// A list of three people, each resolved separately. One of them is ambiguous, and the person chooses from two.
    case list

    var intent: String {
        switch self {
        case .happyPath: "GetRideStatus"
        case .prompt: "ListRideOptions"
        case .promptAndConfirmation: "RequestRide"
        case .list: "SearchForMessages"
        }
    }

    /// The parameters of the request.
    var parameters: [ParameterState] {
        switch self {
        case .happyPath: [ParameterState(name: "rideIdentifier", value: .string("DUB-BFQB23-3"))]
        case .prompt: []
        case .promptAndConfirmation: [ParameterState(name: "ride", value: .string("Economy"))]
        case .list:
            [ParameterState(name: "senders", value: .array(["Mia Ekman", "Anna", "John Adler"].map { .string($0) }))]
        }
    }

    /// The number of prompts that each request must lead to.
    var prompts: Int {
        switch self {
        case .happyPath: 0
        case .prompt, .list: 1
        case .promptAndConfirmation: 2
        }
    }

    /// A person who gives the values that are asked for, and agrees to everything.
    var person: ScriptedPerson {
        ScriptedPerson(
            ["dropOff": .string("Connolly Station"), "senders": .string("Anna Costa")], otherwise: .accept)
    }
}
