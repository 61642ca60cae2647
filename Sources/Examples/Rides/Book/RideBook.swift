import IntentKit
public import SampleData

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What has to be remembered of rides: which are for later, which were called off, and what people thought of them.
///
/// A ride is one person's: the session's attribute `person`, else the session itself. So nobody calls off what others have booked.
///
/// A ride for now is not written down: all there is to know of it follows from its number. So booking one touches no file.
public struct RideBook: Sendable {
    private let store: SampleStore
    private var person = ""

    public init(store: SampleStore) { self.store = store }

    /// The pages of the person whom a phase is worked on for.
    func of(_ context: Context) -> RideBook {
        var pages = self
        pages.person = context.attributes["person"]?.view.string ?? context.session
        return pages
    }

    private func key(_ ride: RideIdentifier) -> String { "\(person)/\(ride.displayText)" }

    struct Entry: Codable, Sendable {
        var scheduledTime: Date?
        var cancellation: Cancellation?
        var feedback: Feedback?
        /// Since when somebody follows it.
        var followedSince: Date?
    }

    struct Cancellation: Codable, Sendable {
        /// In the fleet's currency; 0 if it was free.
        var feeMinorUnits: Int
        var idempotencyKey: String
    }

    struct Feedback: Codable, Sendable {
        /// 1 to 5.
        var rating: Int
        var tipMinorUnits: Int
        var idempotencyKey: String
    }

    /// What is written about a ride; an empty entry if nothing is.
    func entry(_ ride: RideIdentifier) throws -> Entry { try store.read(key(ride), in: "rides") ?? Entry() }

    func schedule(_ ride: RideIdentifier, at time: Date) throws {
        try change(ride) { $0.scheduledTime = time }
    }

    /// Notes since when a ride for now is followed: from then on it moves. The first time counts, so that following again goes on.
    func follow(_ ride: RideIdentifier, since time: Date) throws {
        try change(ride) { $0.followedSince = $0.followedSince ?? time }
    }

    /// - Returns: What is in the book then. The same cancellation may be repeated: it costs what it did. Another one changes nothing.
    func cancel(_ ride: RideIdentifier, _ cancellation: Cancellation) throws -> Cancellation {
        try change(ride) { entry in
            let first = entry.cancellation ?? cancellation
            entry.cancellation = first
            return first
        }
    }

    /// - Returns: What is in the book then: the first word counts.
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
