/// What a `@Parameter` declares, shared by every copy of the intent that declares it.
final class ParameterDefinition<Value: ParameterValue>: Sendable {
    let title: LocalizedText
    let description: LocalizedText?
    let prompt: LocalizedText?
    let `default`: ParameterDefault<Value>?
    let range: ParameterRange<Value>?
    let options: (any DynamicOptionsProvider<Value>)?

    init(
        title: LocalizedText, description: LocalizedText?, prompt: LocalizedText?, default: ParameterDefault<Value>?,
        range: ParameterRange<Value>?, options: (any DynamicOptionsProvider<Value>)?
    ) {
        self.title = title
        self.description = description
        self.prompt = prompt
        self.default = `default`
        self.range = range
        self.options = options
    }
}

/// A closed range of values, kept in a form that doesn't need the type to be comparable.
struct ParameterRange<Value: ParameterValue>: Sendable {
    let text: String
    let minimum: JSON
    let maximum: JSON
    private let side: @Sendable (Value) -> Int

    init(_ range: ClosedRange<Value>) where Value: Comparable {
        text = "\(range.lowerBound.displayText) to \(range.upperBound.displayText)"
        minimum = JSON(range.lowerBound)
        maximum = JSON(range.upperBound)
        side = { value in value < range.lowerBound ? -1 : value > range.upperBound ? 1 : 0 }
    }

    /// SiriKit's reason (as in `INPlayMediaPlaybackSpeedUnsupportedReason`), or `nil` for a value inside.
    func violation(by value: Value) -> String? {
        switch side(value) {
        case -1: "belowMinimum"
        case 1: "aboveMaximum"
        default: nil
        }
    }
}
