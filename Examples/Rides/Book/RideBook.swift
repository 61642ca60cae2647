import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of rides that must be stored: scheduled times, cancellations and feedback.
///
/// A ride belongs to one person: the session's attribute `person`, which defaults to the session's key. So a person can't cancel a ride that
/// another one has booked.
///
/// A ride for now is not stored, because its state is derived from its number. So booking one touches no file.
public struct RideBook: Sendable {
    private let store: SampleStore
    private var person = ""

    public init(store: SampleStore) { self.store = store }

    /// The book of the person whose request is being worked on.
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
        /// When live updates of it began.
        var followedSince: Date?
    }

    struct Cancellation: Codable, Sendable {
        /// In the fleet's currency; 0 if it was free.
        var feeMinorUnits: Int
        var idempotencyKey: Identifier
    }

    struct Feedback: Codable, Sendable {
        /// 1 to 5.
        var rating: Int
        var tipMinorUnits: Int
        var idempotencyKey: Identifier
    }

    /// The entry of a ride; an empty one if nothing is stored.
    func entry(_ ride: RideIdentifier) throws -> Entry { try store.read(key(ride), in: "rides") ?? Entry() }

    func schedule(_ ride: RideIdentifier, at time: Date) throws {
        try change(ride) { $0.scheduledTime = time }
    }

    /// Stores when live updates of a ride for now began: from then on it moves. Later calls change nothing, so that the ride goes on.
    func follow(_ ride: RideIdentifier, since time: Date) throws {
        try change(ride) { $0.followedSince = $0.followedSince ?? time }
    }

    /// Cancels a ride. The first cancellation is kept: repeating it charges the same fee, and another one changes nothing.
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
    func note(_ feedback: Feedback, on ride: RideIdentifier) throws -> Feedback {
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
