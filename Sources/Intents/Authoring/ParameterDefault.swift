/// What a parameter is when nothing was said about it.
public struct ParameterDefault<Value: ParameterValue>: Sendable {
    let value: Value

    /// Always this.
    public static func constant(_ value: Value) -> ParameterDefault { ParameterDefault(value: value) }
}
