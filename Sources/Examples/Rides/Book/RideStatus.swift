import IntentKit

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How far a ride is (SiriKit: `INRidePhase`).
enum RidePhase: String {
    case confirmed, approachingPickup, ongoing, completed
}

/// How a ride has ended (SiriKit: `INRideCompletionStatus`).
enum RideCompletionStatus: String {
    case completed
    case completedWithOutstandingFeedback
    case canceledByUser
}

/// How things stand with a ride (SiriKit: `INRideStatus`).
struct RideStatus {
    let ride: RideIdentifier
    let phase: RidePhase
    /// There is one if, and only if, the phase is `completed`.
    let completionStatus: RideCompletionStatus?
    let scheduledPickupTime: Date?

    /// How long a ride that moves stays in a phase, in seconds.
    static let leg: TimeInterval = 60
    private static let course: [RidePhase] = [.confirmed, .approachingPickup, .ongoing, .completed]

    /// What isn't in the book the number says. A ride moves once somebody follows it.
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
            (phase, completionStatus) = (.completed, entry.feedback == nil ? .completedWithOutstandingFeedback : .completed)
        } else {
            (phase, completionStatus) = (byNumber, nil)
        }
    }

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
