/// Gives a bare number its unit: "5" is 5 km where kilometres are meant. What App Intents calls a parameter's default unit.
public struct MeasurementFromDouble<Unit: MeasurementUnit>: InstantConverter {
    let unit: Unit

    public init(unit: Unit) { self.unit = unit }

    public func convert(from value: Double) -> Measurement<Unit>? { Measurement(checking: value, unit) }
}
