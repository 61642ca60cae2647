internal import Synchronization

/// The ways from JSON to one type; worked out once.
struct ConversionPlan: Sendable {
    let target: ObjectIdentifier
    /// Whether some of it may wait, or checks what the type has read.
    let isMoreThanReading: Bool
    private let text: ConversionRoute
    private let number: ConversionRoute
    private let bool: ConversionRoute
    /// JSON that only the type itself can read.
    private let other: ConversionRoute

    init<Value: ParameterValue>(for type: Value.Type, converters: ConverterSpecification) {
        target = ObjectIdentifier(type)
        var steps = converters.steps + Value.defaultConverterSpecification.steps + BuiltInConverters.numbers
        if Self.mayComeByText(type, converters) { steps += BuiltInConverters.texts }
        isMoreThanReading = steps.contains { $0.now == nil || ($0.input == $0.output && !$0.isReading) }
        text = ConversionRoute(steps, from: [String.self], given: String.self, to: target)
        number = ConversionRoute(steps, from: BuiltInConverters.numberTypes, given: Double.self, to: target)
        bool = ConversionRoute(steps, from: [Bool.self], given: Bool.self, to: target)
        other = ConversionRoute(steps, from: [], given: nil, to: target)
    }

    func route(from kind: JSONView.Kind) -> ConversionRoute {
        switch kind {
        case .string: text
        case .number: number
        case .bool: bool
        case .null, .array, .object: other
        }
    }

    /// Whether a number or a yes may become text on the way. Not if only a type's reading of any text comes next: 5 is no place, though a place may be
    /// called "5".
    private static func mayComeByText<Value: ParameterValue>(_ type: Value.Type, _ converters: ConverterSpecification) -> Bool {
        switch Value.jsonKind {
        case .object, .array: converters.steps.contains { $0.input == ObjectIdentifier(String.self) }
        case .null, .bool, .number, .string: true
        }
    }

    // MARK: Without converters of a parameter

    /// The plan for a type whose parameter has no converters of its own.
    static func standard<Value: ParameterValue>(for type: Value.Type) -> ConversionPlan {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        // Outside of the lock: the type's own code is asked for its converters.
        let plan = ConversionPlan(for: type, converters: ConverterSpecification())
        cache.withLock { $0[key] = plan }
        return plan
    }

    /// As many as there are types of parameters in the program.
    private static let cache = Mutex<[ObjectIdentifier: ConversionPlan]>([:])
}
