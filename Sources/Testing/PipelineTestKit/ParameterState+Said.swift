public import IntentModel

extension ParameterState {
    /// A value as a person says it: text that has yet to be resolved.
    public static func said(_ name: String, _ text: String) -> ParameterState {
        ParameterState(name: name, value: .string(text))
    }

    /// A value as a program sends it: JSON that has yet to be resolved.
    package static func said(_ name: String, json: String) -> ParameterState {
        ParameterState(name: name, value: JSON(unchecked: json))
    }
}

extension [ParameterState] {
    /// Values as a person says them.
    public static func said(_ values: KeyValuePairs<String, String>) -> [ParameterState] {
        values.map { .said($0, $1) }
    }

    /// Values as the resolve phase leaves them for confirm and handle.
    public static func resolved(_ values: KeyValuePairs<String, JSON>) -> [ParameterState] {
        values.map { ParameterState(name: $0, value: $1, origin: .resolved) }
    }
}
