internal import Synchronization

/// The resolvers that can lead to one type, by the type that they begin with; worked out once.
struct ConversionPlan: Sendable {
    let target: ObjectIdentifier
    /// By input, in the order in which they are tried: the parameter's own, the type's, the shipped ones. They lead from one type to another.
    let conversions: [ObjectIdentifier: [ResolverStep]]
    /// Those that lead from a type to itself.
    let checks: [ObjectIdentifier: [ResolverStep]]
    /// Whether some of it may wait.
    let mayWait: Bool

    init<Value: ParameterValue>(for type: Value.Type, resolvers: ResolverSpecification) {
        target = ObjectIdentifier(type)
        let own = resolvers.steps + Value.defaultResolverSpecification.steps
        var all = own + ShippedResolvers.numbers
        if Self.mayComeByText(type, resolvers) { all += ShippedResolvers.texts }

        // Backwards from the type: what does not lead to it is never tried.
        var useful: Set<ObjectIdentifier> = [target]
        var isGrowing = true
        while isGrowing {
            isGrowing = false
            for step in all where useful.contains(step.output) {
                if useful.insert(step.input).inserted { isGrowing = true }
            }
        }
        let kept = all.filter { useful.contains($0.output) }
        conversions = Dictionary(grouping: kept.filter { $0.input != $0.output }, by: \.input)
        checks = Dictionary(grouping: kept.filter { $0.input == $0.output }, by: \.input)
        mayWait = kept.contains { $0.now == nil }
    }

    /// Whether a number or a yes may become text on the way. Not if only a type's reading of any text comes next: 5 is no place, though a place may be
    /// called "5".
    private static func mayComeByText<Value: ParameterValue>(_ type: Value.Type, _ resolvers: ResolverSpecification) -> Bool {
        switch Value.jsonKind {
        case .object, .array: resolvers.steps.contains { $0.input == ObjectIdentifier(String.self) }
        case .null, .bool, .number, .string: true
        }
    }

    // MARK: Without resolvers of a parameter

    /// The plan for a type whose parameter has no resolvers of its own.
    static func standard<Value: ParameterValue>(for type: Value.Type) -> ConversionPlan {
        let key = ObjectIdentifier(type)
        if let known = cache.withLock({ $0[key] }) { return known }
        // Outside of the lock: the type's own code is asked for its resolvers.
        let plan = ConversionPlan(for: type, resolvers: ResolverSpecification())
        cache.withLock { $0[key] = plan }
        return plan
    }

    /// As many as there are types of parameters in the program.
    private static let cache = Mutex<[ObjectIdentifier: ConversionPlan]>([:])
}
