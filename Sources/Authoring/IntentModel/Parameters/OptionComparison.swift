/// The numbers by which people compare an option with the others of its prompt.
///
/// A person can then say "the cheaper one" or "the latest": the option with the smallest price, or with the greatest
/// time. Numbers only have an order, so their unit is that of the other options. Options are not compared by a number
/// that one of them lacks.
public struct OptionComparison: Sendable, Hashable {
    /// The name of a number.
    public enum Quality: Sendable, Hashable, CaseIterable { case price, time, distance, duration, size }

    /// A price. All options have to be in one currency.
    public package(set) var price: Double?
    /// A time, such as the seconds since 1970.
    public package(set) var time: Double?
    /// A distance from the person.
    public package(set) var distance: Double?
    /// A length of time.
    public package(set) var duration: Double?
    /// A size, such as the number of seats.
    public package(set) var size: Double?

    /// - Parameters: Numbers that are not finite count as `nil`.
    public init(
        price: Double? = nil, time: Double? = nil, distance: Double? = nil, duration: Double? = nil, size: Double? = nil
    ) {
        func finite(_ number: Double?) -> Double? { number.flatMap { $0.isFinite ? $0 : nil } }
        (self.price, self.time, self.distance) = (finite(price), finite(time), finite(distance))
        (self.duration, self.size) = (finite(duration), finite(size))
    }

    /// The number of a quality; `nil` if the option has none.
    package subscript(quality: Quality) -> Double? {
        switch quality {
        case .price: price
        case .time: time
        case .distance: distance
        case .duration: duration
        case .size: size
        }
    }
}
