/// A closed range of values, kept in a form that doesn't need the type to be comparable.
package struct ParameterRange<Value: ParameterValue>: Sendable {
    package let lowerBound: Value
    package let upperBound: Value
    private let side: @Sendable (Value) -> Int

    package init(_ range: ClosedRange<Value>) where Value: Comparable {
        lowerBound = range.lowerBound
        upperBound = range.upperBound
        side = { value in value < range.lowerBound ? -1 : value > range.upperBound ? 1 : 0 }
    }

    /// SiriKit's reason (as in `INPlayMediaPlaybackSpeedUnsupportedReason`), or `nil` for a value inside.
    package func violation(by value: Value) -> String? {
        switch side(value) {
        case -1: "belowMinimum"
        case 1: "aboveMaximum"
        default: nil
        }
    }
}
