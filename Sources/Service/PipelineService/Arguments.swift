package import IntentModel

extension ParameterState {
    /// Parses `name=value`. A value that is valid JSON is used as JSON, any other value as text.
    package init?(argument: String) {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else { return nil }
        self.init(
            name: String(argument[..<equals]), value: JSON(argument: String(argument[argument.index(after: equals)...]))
        )
    }
}

extension JSON {
    /// Parses the argument as JSON. An argument that is not valid JSON becomes a string.
    package init(argument: String) {
        if let json = try? JSON(parsing: Array(argument.utf8)) { self = json } else { self = .string(argument) }
    }
}
