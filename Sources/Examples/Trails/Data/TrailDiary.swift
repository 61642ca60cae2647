import IntentKit
import SampleData

/// What has happened on the trails: who went there, and which days the guides are taken. Kept where all processes see it.
///
/// Both ways of writing may be repeated with the same idempotency key: they find what they have written, and change nothing.
struct TrailDiary: Sendable {
    let store: SampleStore

    struct Activity: Codable, Sendable {
        var style: ActivityStyle
        var idempotencyKey: String
    }

    private struct Booking: Codable {
        var trail: TrailEntity.ID
        var idempotencyKey: String
    }

    /// What somebody did last on a trail.
    func lastActivity(on trail: TrailEntity, of session: String) throws -> Activity? {
        try store.read("\(session)/\(trail.id)", in: "trail-activities")
    }

    func start(_ style: ActivityStyle, on trail: TrailEntity, of session: String, idempotencyKey: String) throws {
        try store.write(Activity(style: style, idempotencyKey: idempotencyKey), "\(session)/\(trail.id)", in: "trail-activities")
    }

    func isTaken(_ guide: String, on day: String, idempotencyKey: String) throws -> Bool {
        try store.read("\(guide)/\(day)", in: "trail-guides", as: Booking.self).map { $0.idempotencyKey != idempotencyKey } ?? false
    }

    /// - Returns: The booking's number.
    /// - Throws: ``TrailError/guideNotAvailable(_:day:)`` if somebody else has taken the day.
    func book(_ guide: String, on day: String, for trail: TrailEntity, idempotencyKey: String) throws -> String {
        try store.update("\(guide)/\(day)", in: "trail-guides", as: Booking.self) { booking in
            if let booking, booking.idempotencyKey != idempotencyKey { throw TrailError.guideNotAvailable(guide, day: day) }
            booking = Booking(trail: trail.id, idempotencyKey: idempotencyKey)
        }
        return "\(guide.uppercased())-\(day)"
    }
}
