import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The phase of a ride (SiriKit: `INRidePhase`).
enum RidePhase: String {
    case confirmed, approachingPickup, ongoing, completed
}

/// The way in which a ride ended (SiriKit: `INRideCompletionStatus`).
enum RideCompletionStatus: String {
    case completed
    case completedWithOutstandingFeedback
    case canceledByUser
}

/// The status of a ride (SiriKit: `INRideStatus`).
struct RideStatus {
    let ride: RideIdentifier
    let phase: RidePhase
    /// The completion status. Present if and only if the phase is `completed`.
    let completionStatus: RideCompletionStatus?
    let scheduledPickupTime: Date?

    /// The time that a moving ride stays in each phase, in seconds.
    static let leg: TimeInterval = 60
    private static let course: [RidePhase] = [.confirmed, .approachingPickup, .ongoing, .completed]

    /// Reads the status from the book. Without a cancellation or a scheduled time, the phase follows from the ride's
    /// number and moves on once live updates of the ride have begun.
    init(_ ride: RideIdentifier, in book: RideBook, at now: Date) throws {
        let entry = try book.entry(ride)
        let legs = entry.followedSince.map { Int(min(max(now.timeIntervalSince($0) / Self.leg, 0), 3)) } ?? 0
        let byNumber = Self.course[min(Int(ride.number >> 8 & 3) + legs, 3)]
        self.ride = ride
        scheduledPickupTime = entry.scheduledTime
        if entry.cancellation != nil {
            (phase, completionStatus) = (.completed, .canceledByUser)
        } else if entry.scheduledTime != nil {
            (phase, completionStatus) = (.confirmed, nil)
        } else if byNumber == .completed {
            (phase, completionStatus) = (
                .completed, entry.feedback == nil ? .completedWithOutstandingFeedback : .completed
            )
        } else {
            (phase, completionStatus) = (byNumber, nil)
        }
    }

    /// `true` if a ride for now can be cancelled when it is booked.
    static func canBeCancelled(_ ride: RideIdentifier) -> Bool { Int(ride.number >> 8 & 3) <= 1 }

    var values: [String: any ParameterValue] {
        var values: [String: any ParameterValue] = ["phase": phase.rawValue, "rideIdentifier": ride]
        if let completionStatus { values["completionStatus"] = completionStatus.rawValue }
        if let scheduledPickupTime { values["scheduledPickupTime"] = scheduledPickupTime }
        return values
    }

    func dialog(driver: String) -> LocalizedText {
        if completionStatus == .canceledByUser { return "Ride \(ride) has been cancelled." }
        if let scheduledPickupTime { return "\(driver) has your ride for \(scheduledPickupTime)." }
        return switch phase {
        case .confirmed: "\(driver) has your ride and sets off soon."
        case .approachingPickup: "\(driver) is around the corner."
        case .ongoing: "You are on your way with \(driver)."
        case .completed: "\(driver) has brought you there. Thank you for riding with us."
        }
    }
}
