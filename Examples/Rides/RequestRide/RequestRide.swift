public import IntentKit

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Books a car (SiriKit: `INRequestRideIntent`).
public struct RequestRide: Intent {
    public static let title: LocalizedText = "Request a ride"
    public static let confirmation: ConfirmationPolicy = .always
    public static let confirmationActionName = ConfirmationActionName.book

    @Parameter(title: "Pickup", requestValueDialog: "Where should the driver meet you?")
    public var pickup: Place?

    @Parameter(title: "Drop-off", requestValueDialog: "Where are you going?")
    public var dropOff: Place

    @Parameter(title: "People", requestValueDialog: "How many of you are there?", .inclusiveRange(1...6))
    public var partySize: Int = 1

    @Parameter(title: "Ride", requestValueDialog: "Which ride would you like?", optionsProvider: RideOptions())
    public var ride: RideOption

    @Parameter(title: "Pickup time", requestValueDialog: "When should the driver come?")
    public var scheduledTime: Date?

    @Parameter(
        title: "Payment", default: .first(.remembered, .constant(.card)),
        requestValueDialog: "How would you like to pay?", .memory(.person)
    )
    public var payment: PaymentMethod

    public static let parameters = Parameters<Self>(
        \.$pickup, \.$dropOff, \.$partySize, \.$ride, \.$scheduledTime, \.$payment)

    public static var parameterSummary: some ParameterSummary {
        When(\.$pickup, .hasAnyValue) {
            When(\.$scheduledTime, .hasAnyValue) {
                Summary("\(\.$ride) from \(\.$pickup) to \(\.$dropOff) for \(\.$partySize), \(\.$scheduledTime)")
            } otherwise: {
                Summary("\(\.$ride) from \(\.$pickup) to \(\.$dropOff) for \(\.$partySize)")
            }
        } otherwise: {
            When(\.$scheduledTime, .hasAnyValue) {
                Summary("\(\.$ride) to \(\.$dropOff) for \(\.$partySize), \(\.$scheduledTime)")
            } otherwise: {
                Summary("\(\.$ride) to \(\.$dropOff) for \(\.$partySize)")
            }
        }
    }

    public init() {}
}

/// Undoes a booking: cancels the ride whose number is in the response, unless the ride has begun.
extension RequestRide: UndoableIntent {
    public func inverse(of response: HandleResponse) -> (any Intent)? {
        guard let number = response.value(RideIdentifier.self, named: "rideIdentifier"),
            scheduledTime != nil || RideStatus.canBeCancelled(number)
        else { return nil }
        var cancel = CancelRide()
        cancel.rideIdentifier = number
        return cancel
    }
}

/// The payment method of a ride (SiriKit: `INPaymentMethod`).
public enum PaymentMethod: String, AppEnum {
    case card, cash, businessAccount

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Payment"
    public static let caseDisplayRepresentations: [PaymentMethod: DisplayRepresentation] = [
        .card: DisplayRepresentation(title: "Card", synonyms: ["credit card", "debit card", "visa", "mastercard"]),
        .cash: DisplayRepresentation(title: "Cash", synonyms: ["money"]),
        .businessAccount: DisplayRepresentation(
            title: "Business account", synonyms: ["business", "company account", "my company"]),
    ]
}

/// The codes of SiriKit's ride family (`INRequestRideIntentResponseCode`).
extension ResponseCode {
    /// The person must prove their identity before the account pays.
    public static let failureRequiringAppLaunchMustVerifyCredentials: ResponseCode =
        "failureRequiringAppLaunchMustVerifyCredentials"
    /// The district is not served.
    public static let failureRequiringAppLaunchNoServiceInArea: ResponseCode =
        "failureRequiringAppLaunchNoServiceInArea"
    /// The district is served, but not at the moment.
    public static let failureRequiringAppLaunchServiceTemporarilyUnavailable: ResponseCode =
        "failureRequiringAppLaunchServiceTemporarilyUnavailable"
    /// An earlier ride has not been paid or rated.
    public static let failureRequiringAppLaunchPreviousRideNeedsCompletion: ResponseCode =
        "failureRequiringAppLaunchPreviousRideNeedsCompletion"
    /// The requested time is too far ahead for a booking.
    public static let failureRequiringAppLaunchRideScheduledTooFar: ResponseCode =
        "failureRequiringAppLaunchRideScheduledTooFar"
}
