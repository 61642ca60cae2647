import Conversation
import Foundation
import IntentModel
import PipelineService

/// A line that a person typed at a prompt: a value, and values of other parameters, such as `Home; dropOff=Airport;
/// partySize=2`.
struct TypedAnswer: Equatable {
    /// The part of the line that is not a parameter; may be empty.
    var value: String
    var parameters: [ParameterState] = []

    /// - Parameter names: The names of the intent's parameters. After a semicolon, any name counts as a parameter.
    init(_ line: String, names: [String]) {
        var parts = line.components(separatedBy: ";")[...]
        while let last = parts.last, let state = ParameterState(argument: last.trimmingCharacters(in: .whitespaces)),
            names.contains(state.name) || (parts.count > 1 && state.name.allSatisfy { $0.isLetter || $0.isNumber })
        {
            parameters.insert(state, at: 0)
            parts.removeLast()
        }
        value = parts.joined(separator: ";").trimmingCharacters(in: .whitespaces)
    }

    /// Returns the answer in the person's words. With other parameters, as an object or a list in JSON, or too long for
    /// words, it is a value.
    func answer(to prompt: Identifier) -> Answer {
        let json = JSON(argument: value)
        if parameters.isEmpty, json.view.kind != .object, json.view.kind != .array,
            Utterance.lengths ~= value.unicodeScalars.count, value.printable == value
        {
            return Answer(prompt: prompt, utterance: Utterance(value))
        }
        return Answer(prompt: prompt, action: .accept, value: value.isEmpty ? nil : json, parameters: parameters)
    }
}
