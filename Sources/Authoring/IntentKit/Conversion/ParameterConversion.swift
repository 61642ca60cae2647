/// Converts a parameter's JSON into its type, by the type's own reading and by chains of converters.
///
/// Create one per parameter and keep it: the chains are computed only once.
public struct ParameterConversion<Value: ParameterValue>: Sendable {
    /// `nil` for the type's standard plan, which is looked up only if it is needed.
    private let own: ConversionPlan?
    /// Replaces the conversion by type.
    private let reader: (@Sendable (JSONView) -> Value?)?

    /// For parameters that have no converters of their own.
    public static var standard: ParameterConversion { ParameterConversion(converters: ConverterSpecification()) }

    /// - Parameter converters: The parameter's own, which take precedence over others at the same distance from the type.
    public init(converters: ConverterSpecification) {
        own = converters.isEmpty ? nil : ConversionPlan(for: Value.self, converters: converters)
        reader = nil
    }

    /// For values that only their declaration knows.
    package init(reading reader: @escaping @Sendable (JSONView) -> Value?) {
        own = nil
        self.reader = reader
    }

    private var plan: ConversionPlan { own ?? .standard(for: Value.self) }

    /// Whether ``read(_:)`` gives the same results as ``convert(_:context:)``: the parameter has no converters of its own, and the type has none that
    /// are asynchronous or check values.
    public var isImmediate: Bool { reader != nil || (own == nil && !plan.isMoreThanReading) }

    /// Reads what the type itself and the shipped converters understand, synchronously: a wire form that an earlier phase has written, or any value
    /// of a parameter without converters of its own.
    ///
    /// - Returns: `nil` if there is no conversion, and for `null`.
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
        guard route.goesBeyondReading else { return nil }
        var walk = ConversionWalk(route, to: plan.target, from: Self.sources(json, direct: false), isRead: kind == .string)
        while let task = walk.next() { walk.receive(task.step.now?(task.value)) }
        return walk.result as? Value
    }

    /// Converts and checks a given value, with the parameter's own converters first.
    ///
    /// - Throws: The errors of converters, except for ``UnsupportedValue``.
    public func convert(_ json: JSONView, context: Context) async throws -> Conversion<Value> {
        if isImmediate { return read(json).map { .value($0) } ?? .noConversion }
        let plan = plan
        var walk = ConversionWalk(
            plan.route(from: json.kind), to: plan.target, from: Self.sources(json, direct: true), isRead: false)
        do {
            while let task = walk.next() {
                if let now = task.step.now {
                    walk.receive(now(task.value))
                } else {
                    walk.receive(try await task.step.later(task.value, context))
                }
            }
        } catch let error as UnsupportedValue {
            return .notSupported(reason: error.reason, dialog: error.dialog)
        }
        return (walk.result as? Value).map { .value($0) } ?? .noConversion
    }

    /// The JSON as values from which chains can start.
    ///
    /// - Parameter direct: Whether it may be read as the type itself.
    private static func sources(_ json: JSONView, direct: Bool) -> [any ParameterValue] {
        var sources: [any ParameterValue] = []
        let kind = json.kind
        if direct, kind != .string, kind == Value.jsonKind, let value = Value(json: json) { sources.append(value) }
        switch kind {
        case .string: sources += [json.string].compactMap { $0 }
        case .bool: sources += [json.bool].compactMap { $0 }
        // The exact types first: a whole number beyond `Int` keeps its digits as a decimal.
        case .number: sources += BuiltInConverters.readings(of: json)
        case .null, .object, .array: break
        }
        return sources
    }
}

/// Searches a ``ConversionRoute`` breadth-first: the shortest chain that leads to a value wins, and no converter is called twice.
///
/// The caller gets a task from ``next()``, calls the converter, synchronously or not, and passes the result to ``receive(_:)``.
struct ConversionWalk {
    /// A converter to call, with its input.
    struct Task {
        var step: ConverterStep
        var value: any ParameterValue
    }

    private let route: ConversionRoute
    private let target: ObjectIdentifier
    /// Whether the type itself has already failed to read the text.
    private let isRead: Bool
    private var queue: [Arrival] = []
    private var head = 0
    private var reached: Set<ObjectIdentifier> = []
    /// A value that is still being checked.
    private var arriving: Arrival?
    private(set) var result: (any ParameterValue)?

    /// A value of one type, and the number of its converters that have been called.
    private struct Arrival {
        let type: ObjectIdentifier
        var value: any ParameterValue
        var taken = 0
    }

    private enum Stage { case source, checking, converting }
    private var stage = Stage.source
    private var sources: ArraySlice<any ParameterValue>

    /// - Parameters:
    ///   - sources: The same JSON as values of different types, the best first.
    ///   - isRead: Whether the type itself has already tried to read it.
    init(_ route: ConversionRoute, to target: ObjectIdentifier, from sources: [any ParameterValue], isRead: Bool) {
        self.route = route
        self.target = target
        self.isRead = isRead
        self.sources = sources[...]
    }

    /// The next task; `nil` if there is none.
    mutating func next() -> Task? {
        while result == nil {
            if let arrival = arriving {
                let checks = route.checks[arrival.type] ?? []
                if arrival.taken < checks.count {
                    stage = .checking
                    return Task(step: checks[arrival.taken], value: arrival.value)
                }
                arriving = nil
                if reached.insert(arrival.type).inserted { queue.append(Arrival(type: arrival.type, value: arrival.value)) }
                if arrival.type == target { result = arrival.value }
            } else if let source = sources.popFirst() {
                arrive(source)
            } else if head < queue.count {
                let from = queue[head]
                let steps = route.conversions[from.type] ?? []
                guard from.taken < steps.count else {
                    head += 1
                    continue
                }
                queue[head].taken += 1
                let step = steps[from.taken]
                if reached.contains(step.output) || (isRead && step.isReading && step.output == target) { continue }
                stage = .converting
                return Task(step: step, value: from.value)
            } else {
                return nil
            }
        }
        return nil
    }

    /// Takes the result of the last task from ``next()``.
    mutating func receive(_ value: (any ParameterValue)?) {
        switch (stage, value) {
        case (.checking, let value?):
            arriving?.value = value
            arriving?.taken += 1
        case (.checking, nil): arriving = nil
        case (_, let value?): arrive(value)
        case (_, nil): break
        }
    }

    private mutating func arrive(_ value: any ParameterValue) {
        arriving = Arrival(type: ObjectIdentifier(Swift.type(of: value)), value: value)
    }
}
