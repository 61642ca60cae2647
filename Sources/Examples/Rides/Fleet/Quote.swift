public import IntentKit

/// What a ride would be like.
public struct Quote: Sendable, Hashable {
    public let fare: CurrencyAmount
    /// By road.
    public let kilometres: Double
    /// Until the car is there, rounded up.
    public let minutesToPickup: Int
    /// The district the car comes from.
    public let carFrom: String
    /// Whether that is another than the person is in.
    public let isFromElsewhere: Bool
}
