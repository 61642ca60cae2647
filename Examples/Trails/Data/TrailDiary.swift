import IntentKit

/// Activities on the trails and bookings of the guides, stored so that all processes can read them.
///
/// A handler may run again. A repeated booking with the same idempotency key changes nothing. A repeated start replaces
/// the session's newest activity on the trail.
struct TrailDiary: Sendable {
    let store: SampleStore

    struct Activity: Codable, Sendable {
        var style: ActivityStyle
        var idempotencyKey: Identifier
    }

    private struct Booking: Codable {
        var trail: TrailEntity.ID
        var idempotencyKey: Identifier
    }

    /// The last activity of a session on a trail.
    func lastActivity(on trail: TrailEntity, of session: Identifier) throws -> Activity? {
        try store.read("\(session)/\(trail.id)", in: "trail-activities")
    }

    func start(_ style: ActivityStyle, on trail: TrailEntity, of session: Identifier, idempotencyKey: Identifier) throws
    {
        try store.write(
            Activity(style: style, idempotencyKey: idempotencyKey), "\(session)/\(trail.id)", in: "trail-activities")
    }

    /// `true` if another request has booked the guide for the day.
    func isBooked(_ guide: String, on day: String, idempotencyKey: Identifier) throws -> Bool {
        try store.read("\(guide)/\(day)", in: "trail-guides", as: Booking.self).map {
            $0.idempotencyKey != idempotencyKey
        } ?? false
    }

    /// - Returns: The booking's number.
    /// - Throws: ``TrailError/guideNotAvailable(_:day:)`` if the day is already booked under another key.
    func book(_ guide: String, on day: String, for trail: TrailEntity, idempotencyKey: Identifier) throws -> String {
        try store.update("\(guide)/\(day)", in: "trail-guides", as: Booking.self) { booking in
            if let booking, booking.idempotencyKey != idempotencyKey {
                throw TrailError.guideNotAvailable(guide, day: day)
            }
            booking = Booking(trail: trail.id, idempotencyKey: idempotencyKey)
        }
        return "\(guide.uppercased())-\(day)"
    }
}
