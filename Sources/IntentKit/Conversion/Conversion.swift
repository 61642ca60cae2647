/// What came of converting a parameter's JSON into its type.
public enum Conversion<Value: ParameterValue>: Sendable, Hashable {
    case value(Value)
    /// It says nothing the type can be; the parameter's reason is then `invalidValue`.
    case noConversion
    /// It is understood, but can't be had: `belowMinimum`, `aboveMaximum`, or what the author's ``ValueConverter`` says.
    case notSupported(reason: String, dialog: String?)
}
