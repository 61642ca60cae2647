import Synchronization

/// The routes from each kind of JSON to one type, computed once.
struct ConversionPlan: Sendable {
    let target: ObjectIdentifier
    /// `true` if a converter is asynchronous, or checks values that the type has read.
    let isMoreThanReading: Bool
    private let text: ConversionRoute
    private let number: ConversionRoute
    private let bool: ConversionRoute
    /// The route from JSON that only the type itself can read.
    private let other: ConversionRoute

    init<Value: ParameterValue>(for type: Value.Type, converters: ConverterSpecification) {
        target = ObjectIdentifier(type)
        var steps = converters.steps + Value.defaultConverterSpecification.steps + BuiltInConverters.numbers
        if Self.allowsTextDetour(type, converters) { steps += BuiltInConverters.texts }
        isMoreThanReading = steps.contains { $0.convertSync == nil || ($0.input == $0.output && !$0.isReading) }
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

    /// Returns `true` if a number or a Boolean may be converted by way of text.
    ///
    /// A type that is read from an object or an array needs a converter from text of the parameter's own, because such
    /// a type may read any text: a bare number must not become a `Place`, although a place may be called "5".
    private static func allowsTextDetour<Value: ParameterValue>(
        _ type: Value.Type, _ converters: ConverterSpecification
    ) -> Bool {
        switch Value.jsonKind {
        case .object, .array: converters.steps.contains { $0.input == ObjectIdentifier(String.self) }
        case .null, .bool, .number, .string: true
        }
    }

    // MARK: Without converters of a parameter

    /// Returns the plan for a type whose parameter has no converters of its own.
    static func standard<Value: ParameterValue>(for type: Value.Type) -> ConversionPlan {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        // The plan is created outside the lock, because this calls the type's own code.
        let plan = ConversionPlan(for: type, converters: ConverterSpecification())
        cache.withLock { $0[key] = plan }
        return plan
    }

    /// The standard plans by type: at most one for each parameter type of the program.
    private static let cache = Mutex<[ObjectIdentifier: ConversionPlan]>([:])
}

/// The converters from one kind of JSON to one type, by their input types.
struct ConversionRoute: Sendable {
    /// The converters to another type, by input type, in the order in which they are tried.
    let conversions: [ObjectIdentifier: [ConverterStep]]
    /// The converters from a type to the same type, by type.
    let checks: [ObjectIdentifier: [ConverterStep]]
    /// `true` if the route has converters other than the type's own reading of text.
    let hasOtherConverters: Bool

    /// - Parameters:
    ///   - steps: All converters, in the order in which they are tried.
    ///   - sources: The types that the JSON may be read as.
    ///   - given: The source type that is always available, so that no converter has to lead to this type.
    init(
        _ steps: [ConverterStep], from sources: [any ParameterValue.Type], given: (any ParameterValue.Type)?,
        to target: ObjectIdentifier
    ) {
        let given = given.map { ObjectIdentifier($0) }
        let open = steps.filter { $0.input == $0.output || $0.output != given }

        // Searches forwards from the sources and backwards from the target, so that only converters on a path between
        // the two are tried.
        let ahead = Self.closure(of: Set(sources.map { ObjectIdentifier($0) }), open) { ($0.input, $0.output) }
        let behind = Self.closure(of: [target], open) { ($0.output, $0.input) }
        let useful = open.filter { ahead.contains($0.input) && behind.contains($0.output) }
        conversions = Dictionary(grouping: useful.filter { $0.input != $0.output }, by: \.input)
        checks = Dictionary(grouping: open.filter { $0.input == $0.output && behind.contains($0.input) }, by: \.input)
        hasOtherConverters = useful.contains { $0.input != $0.output && !$0.isReading }
    }

    private static func closure(
        of start: Set<ObjectIdentifier>, _ steps: [ConverterStep],
        _ direction: (ConverterStep) -> (ObjectIdentifier, ObjectIdentifier)
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

/// A type-erased converter: one edge of the graph of conversions.
struct ConverterStep: Sendable {
    let input: ObjectIdentifier
    let output: ObjectIdentifier
    /// `true` if the converter is the type's own reading of text.
    let isReading: Bool
    /// The synchronous conversion; `nil` if the converter is asynchronous.
    let convertSync: (@Sendable (any ParameterValue) -> (any ParameterValue)?)?
    let convertAsync: @Sendable (any ParameterValue, Context) async throws -> (any ParameterValue)?

    init<Conversion: ValueConverter>(_ converter: Conversion) {
        input = ObjectIdentifier(Conversion.Input.self)
        output = ObjectIdentifier(Conversion.Output.self)
        isReading = converter is FromText<Conversion.Output>
        convertSync = (converter as? any InstantConverter)?.erased
        convertAsync = { value, context in
            guard let value = value as? Conversion.Input else { return nil }
            return try await converter.convert(from: value, context: context)
        }
    }
}

extension InstantConverter {
    fileprivate var erased: @Sendable (any ParameterValue) -> (any ParameterValue)? {
        { value in (value as? Input).flatMap { convert(from: $0) } }
    }
}
