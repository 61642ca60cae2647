/// The converters that can lead from one kind of JSON to one type, by the type that they begin with.
struct ConversionRoute: Sendable {
    /// From one type to another, by input, in the order in which they are tried.
    let conversions: [ObjectIdentifier: [ConverterStep]]
    /// From a type to itself.
    let checks: [ObjectIdentifier: [ConverterStep]]
    /// Whether there is more to it than what the type makes of text by itself.
    let goesBeyondReading: Bool

    /// - Parameters:
    ///   - steps: All there are, in the order in which they are tried.
    ///   - sources: What the JSON may be taken for.
    ///   - given: The source that it always can be taken for: nothing need lead there.
    init(_ steps: [ConverterStep], from sources: [any ParameterValue.Type], given: (any ParameterValue.Type)?, to target: ObjectIdentifier)
    {
        let given = given.map { ObjectIdentifier($0) }
        let open = steps.filter { $0.input == $0.output || $0.output != given }

        // Forwards from what comes and backwards from the type: only what lies on a way between the two is ever tried.
        let ahead = Self.closure(of: Set(sources.map { ObjectIdentifier($0) }), open) { ($0.input, $0.output) }
        let behind = Self.closure(of: [target], open) { ($0.output, $0.input) }
        let useful = open.filter { ahead.contains($0.input) && behind.contains($0.output) }
        conversions = Dictionary(grouping: useful.filter { $0.input != $0.output }, by: \.input)
        checks = Dictionary(grouping: open.filter { $0.input == $0.output && behind.contains($0.input) }, by: \.input)
        goesBeyondReading = useful.contains { $0.input != $0.output && !$0.isReading }
    }

    private static func closure(
        of start: Set<ObjectIdentifier>, _ steps: [ConverterStep], _ direction: (ConverterStep) -> (ObjectIdentifier, ObjectIdentifier)
    ) -> Set<ObjectIdentifier> {
        var known = start
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for (from, to) in steps.map(direction) where known.contains(from) {
                if known.insert(to).inserted { isGrowing = true }
            }
        }
        return known
    }
}
