/// Goes breadth-first through a ``ConversionRoute``: the shortest chain that leads to a value wins, and no converter is called twice.
///
/// Whoever drives it takes ``next()``, calls the converter, and hands back the result with ``give(_:)``: waiting or not is the driver's affair.
struct ConversionWalk {
    /// What to call, and with what.
    struct Task {
        var step: ConverterStep
        var value: any ParameterValue
    }

    private let route: ConversionRoute
    private let target: ObjectIdentifier
    /// The type has made nothing of the text already.
    private let isRead: Bool
    private var queue: [Arrival] = []
    private var head = 0
    private var reached: Set<ObjectIdentifier> = []
    /// A value whose checks are still going on.
    private var arriving: Arrival?
    private(set) var result: (any ParameterValue)?

    /// A value of one type, and how many of its steps have been taken.
    private struct Arrival {
        let type: ObjectIdentifier
        var value: any ParameterValue
        var taken = 0
    }

    private enum Stage { case source, checking, converting }
    private var stage = Stage.source
    private var sources: ArraySlice<any ParameterValue>

    /// - Parameters:
    ///   - sources: The same thing as values of different types, the best first.
    ///   - isRead: Whether the type has been asked already what it makes of it by itself.
    init(_ route: ConversionRoute, to target: ObjectIdentifier, from sources: [any ParameterValue], isRead: Bool) {
        self.route = route
        self.target = target
        self.isRead = isRead
        self.sources = sources[...]
    }

    /// `nil` when there is nothing more to do.
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

    /// What came of the task that ``next()`` gave last.
    mutating func give(_ value: (any ParameterValue)?) {
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
