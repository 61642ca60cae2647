import IntentModel

extension ParameterState {
    /// Reads `name=value`: a value that is JSON is taken as that, anything else as text.
    init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        self.init(name: String(argument[..<equals]), value: JSON(argument: String(argument[argument.index(after: equals)...])))
    }
}

extension JSON {
    /// JSON if it is that, else a string.
    init(argument: String) {
        if let json = try? JSON(parsing: Array(argument.utf8)) { self = json } else { self = .string(argument) }
    }
}
