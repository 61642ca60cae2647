import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Stores the state of rides: scheduled times, cancellations and feedback.
///
/// A ride belongs to one person: the request's attribute `person`, which defaults to the session's key. A person can't
/// cancel another person's ride.
///
/// Booking a ride for now touches no file, because the state of such a ride is derived from its number.
public struct RideBook: Sendable {
    private let store: SampleStore
    private var person = ""

    public init(store: SampleStore) { self.store = store }

    /// The book of the person whose request is being handled.
    func of(_ context: Context) -> RideBook {
        var pages = self
        pages.person = context.attributes["person"]?.view.string ?? context.session.text
        return pages
    }

    private func key(_ ride: RideIdentifier) -> String { "\(person)/\(ride.displayText)" }

    struct Entry: Codable, Sendable {
        var scheduledTime: Date?
        var cancellation: Cancellation?
        var feedback: Feedback?
        /// The time at which live updates of the ride began.
        var followedSince: Date?
    }

    struct Cancellation: Codable, Sendable {
        /// The fee in the smallest unit of the fleet's currency; 0 if the cancellation was free.
        var feeMinorUnits: Int
        var idempotencyKey: Identifier
    }

    struct Feedback: Codable, Sendable {
        /// The rating from 1 to 5.
        var rating: Int
        var tipMinorUnits: Int
        var idempotencyKey: Identifier
    }

    /// The entry of a ride; an empty one if nothing is stored.
    func entry(_ ride: RideIdentifier) throws -> Entry { try store.read(key(ride), in: "rides") ?? Entry() }

    func schedule(_ ride: RideIdentifier, at time: Date) throws {
        try change(ride) { $0.scheduledTime = time }
    }

    /// Stores the time at which live updates of a ride for now began. The ride moves from that time on. Later calls
    /// change nothing, so that the ride does not start again.
    func follow(_ ride: RideIdentifier, since time: Date) throws {
        try change(ride) { $0.followedSince = $0.followedSince ?? time }
    }

    /// Cancels a ride. The first cancellation is kept: a repeat charges the same fee, and another cancellation changes
    /// nothing.
    ///
    /// - Returns: The cancellation in the book.
    func cancel(_ ride: RideIdentifier, _ cancellation: Cancellation) throws -> Cancellation {
        try change(ride) { entry in
            let first = entry.cancellation ?? cancellation
            entry.cancellation = first
            return first
        }
    }

    /// Stores feedback on a ride. The first feedback is kept.
    ///
    /// - Returns: The feedback in the book.
    func storeFeedback(_ feedback: Feedback, on ride: RideIdentifier) throws -> Feedback {
        try change(ride) { entry in
            let first = entry.feedback ?? feedback
            entry.feedback = first
            return first
        }
    }

    private func change<Result>(_ ride: RideIdentifier, _ change: (inout Entry) -> Result) throws -> Result {
        try store.update(key(ride), in: "rides", as: Entry.self) { document in
            var entry = document ?? Entry()
            let result = change(&entry)
            document = entry
            return result
        }
    }
}
