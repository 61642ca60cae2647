import Synchronization

/// A conversion of a parameter's JSON into the type of the parameter, by the type's own reading and by chains of
/// converters.
///
/// Create one conversion for each parameter and reuse it, because the chains are computed only once.
public struct ParameterConversion<Value: ParameterValue>: Sendable {
    /// The plan with the parameter's own converters; `nil` for the type's standard plan, which is looked up only when
    /// needed.
    private let own: ConversionPlan?
    /// A reader that replaces the conversion by type.
    private let reader: (@Sendable (JSONView) -> Value?)?

    /// The conversion for parameters without converters of their own.
    public static var standard: ParameterConversion { ParameterConversion(converters: ConverterSpecification()) }

    /// - Parameter converters: The parameter's own converters, which take precedence over others at the same distance
    ///   from the type.
    public init(converters: ConverterSpecification) {
        own = converters.isEmpty ? nil : ConversionPlan(for: Value.self, converters: converters)
        reader = nil
    }

    /// Creates a conversion for values whose form only the declaration defines.
    package init(reading reader: @escaping @Sendable (JSONView) -> Value?) {
        own = nil
        self.reader = reader
    }

    private var plan: ConversionPlan { own ?? .standard(for: Value.self) }

    /// `true` if ``read(_:)`` returns the same results as ``convert(_:context:)``: the parameter has no converters of
    /// its own, and the type has no converters that are asynchronous or check values.
    public var isImmediate: Bool { reader != nil || (own == nil && !plan.isMoreThanReading) }

    /// Reads a value synchronously with the type itself and the built-in converters: a wire form that an earlier phase
    /// has written, or any value of a parameter without converters of its own.
    ///
    /// - Returns: The value; `nil` if there is no conversion, and for `null`.
    public func read(_ json: JSONView) -> Value? {
        if let reader { return reader(json) }
        let kind = json.kind
        if kind == .string, let text = json.string {
            if let value = Value(text: text) { return value }
        } else if kind == Value.jsonKind, let value = Value(json: json) {
            return value
        }
        let plan = ConversionPlan.standard(for: Value.self)
        let route = plan.route(from: kind)
        guard route.hasOtherConverters else { return nil }
        var walk = ConversionWalk(
            route, to: plan.target, from: Self.sources(json, direct: false), isRead: kind == .string)
        while let task = walk.next() { walk.receive(task.step.convertSync?(task.value)) }
        return walk.result as? Value
    }

    /// Converts and checks a given value. The parameter's own converters take precedence.
    ///
    /// - Throws: The errors of converters, except for ``UnsupportedValue``.
    public func convert(_ json: JSONView, context: Context) async throws -> Conversion<Value> {
        if isImmediate { return read(json).map { .value($0) } ?? .noConversion }
        let plan = plan
        var walk = ConversionWalk(
            plan.route(from: json.kind), to: plan.target, from: Self.sources(json, direct: true), isRead: false)
        do {
            while let task = walk.next() {
                if let now = task.step.convertSync {
                    walk.receive(now(task.value))
                } else {
                    walk.receive(try await task.step.convertAsync(task.value, context))
                }
            }
        } catch let error as UnsupportedValue {
            return .notSupported(reason: error.reason, dialog: error.dialog)
        }
        return (walk.result as? Value).map { .value($0) } ?? .noConversion
    }

    /// Returns the JSON as values from which chains can start.
    ///
    /// - Parameter direct: `true` if the type itself may read the JSON.
    private static func sources(_ json: JSONView, direct: Bool) -> [any ParameterValue] {
        var sources: [any ParameterValue] = []
        let kind = json.kind
        if direct, kind != .string, kind == Value.jsonKind, let value = Value(json: json) { sources.append(value) }
        switch kind {
        case .string: sources += [json.string].compactMap { $0 }
        case .bool: sources += [json.bool].compactMap { $0 }
        // The exact types come first, so that a whole number beyond `Int` retains its digits as a decimal.
        case .number: sources += BuiltInConverters.readings(of: json)
        case .null, .object, .array: break
        }
        return sources
    }
}

/// A breadth-first search of a ``ConversionRoute``: the shortest chain that leads to a value wins, and no converter is
/// called twice.
///
/// The caller obtains a task from ``next()``, calls the converter, synchronously or not, and passes the result to
/// ``receive(_:)``.
struct ConversionWalk {
    /// A converter to call, with its input.
    struct Task {
        var step: ConverterStep
        var value: any ParameterValue
    }

    private let route: ConversionRoute
    private let target: ObjectIdentifier
    /// `true` if the type itself has already failed to read the text.
    private let isRead: Bool
    private var queue: [Arrival] = []
    private var head = 0
    private var reached: Set<ObjectIdentifier> = []
    /// The value that is being checked.
    private var arriving: Arrival?
    private(set) var result: (any ParameterValue)?

    /// A value of one type, and the number of the type's converters that have been called.
    private struct Arrival {
        let type: ObjectIdentifier
        var value: any ParameterValue
        var calledConverters = 0
    }

    private enum Stage { case source, checking, converting }
    private var stage = Stage.source
    private var sources: ArraySlice<any ParameterValue>

    /// - Parameters:
    ///   - sources: The JSON as values of different types, the best type first.
    ///   - isRead: `true` if the type itself has already failed to read the text.
    init(_ route: ConversionRoute, to target: ObjectIdentifier, from sources: [any ParameterValue], isRead: Bool) {
        self.route = route
        self.target = target
        self.isRead = isRead
        self.sources = sources[...]
    }

    /// Returns the next task; `nil` if there is none.
    mutating func next() -> Task? {
        while result == nil {
            if let arrival = arriving {
                let checks = route.checks[arrival.type] ?? []
                if arrival.calledConverters < checks.count {
                    stage = .checking
                    return Task(step: checks[arrival.calledConverters], value: arrival.value)
                }
                arriving = nil
                if reached.insert(arrival.type).inserted {
                    queue.append(Arrival(type: arrival.type, value: arrival.value))
                }
                if arrival.type == target { result = arrival.value }
            } else if let source = sources.popFirst() {
                arrive(source)
            } else if head < queue.count {
                let from = queue[head]
                let steps = route.conversions[from.type] ?? []
                guard from.calledConverters < steps.count else {
                    head += 1
                    continue
                }
                queue[head].calledConverters += 1
                let step = steps[from.calledConverters]
                if reached.contains(step.output) || (isRead && step.isReading && step.output == target) { continue }
                stage = .converting
                return Task(step: step, value: from.value)
            } else {
                return nil
            }
        }
        return nil
    }

    /// Processes the result of the last task from ``next()``.
    mutating func receive(_ value: (any ParameterValue)?) {
        switch (stage, value) {
        case (.checking, let value?):
            arriving?.value = value
            arriving?.calledConverters += 1
        case (.checking, nil): arriving = nil
        case (_, let value?): arrive(value)
        case (_, nil): break
        }
    }

    private mutating func arrive(_ value: any ParameterValue) {
        arriving = Arrival(type: ObjectIdentifier(Swift.type(of: value)), value: value)
    }
}

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
