/// How many values a list may have: `size: 2`, `size: .between(1...4)`.
///
/// With fewer the person is asked for the list, and more are unsupported with reason `tooManyValues`. It can only be made for lists.
public struct ParameterSize<List: ParameterValue>: Sendable {
    package let bounds: ClosedRange<Int>

    package init(bounds: ClosedRange<Int>) { self.bounds = bounds }
}

extension ParameterSize: ExpressibleByIntegerLiteral where List: Collection {
    /// Exactly so many.
    public init(integerLiteral value: Int) { self = .exactly(value) }
    /// Exactly so many; less than 0 means 0.
    public static func exactly(_ count: Int) -> Self { Self(bounds: max(0, count)...max(0, count)) }
    /// The lowest and the highest count; less than 0 means 0.
    public static func between(_ bounds: ClosedRange<Int>) -> Self { Self(bounds: max(0, bounds.lowerBound)...max(0, bounds.upperBound)) }
    public static func atLeast(_ count: Int) -> Self { Self(bounds: max(0, count)...Int.max) }
    public static func atMost(_ count: Int) -> Self { Self(bounds: 0...max(0, count)) }
}
