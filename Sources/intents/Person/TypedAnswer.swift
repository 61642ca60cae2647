import Foundation
import IntentModel

/// What a person typed at a prompt: a value, and values of other parameters after it: `Home; dropOff=Airport; partySize=2`.
struct TypedAnswer: Equatable {
    /// What comes before the parameters; empty if nothing does.
    var value: String
    var parameters: [ParameterState] = []

    /// - Parameter names: The names of the intent's parameters. What looks otherwise belongs to the value.
    init(_ line: String, names: [String]) {
        var parts = line.components(separatedBy: ";")[...]
        while let last = parts.last, let state = ParameterState(argument: last.trimmingCharacters(in: .whitespaces)),
            names.contains(state.name)
        {
            parameters.insert(state, at: 0)
            parts.removeLast()
        }
        value = parts.joined(separator: ";").trimmingCharacters(in: .whitespaces)
    }
}
