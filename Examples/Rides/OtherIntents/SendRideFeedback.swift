public import IntentKit

/// Rates a ride (SiriKit: `INSendRideFeedbackIntent`).
public struct SendRideFeedback: Intent {
    public static let title: LocalizedText = "Rate my ride"

    @Parameter(
        title: "Ride number", default: .first(.attribute("lastRide"), .remembered),
        requestValueDialog: "What is the number of your ride?",
        .memory(.person(as: "lastRide")))
    public var rideIdentifier: RideIdentifier

    @Parameter(
        title: "Stars", requestValueDialog: "How many stars do you give, from one to five?", .inclusiveRange(1...5))
    public var rating: Int

    @Parameter(title: "Tip", requestValueDialog: "How much would you like to tip?")
    public var tip: CurrencyAmount?

    public static let parameters = Parameters<Self>(\.$rideIdentifier, \.$rating, \.$tip)
    public static var parameterSummary: some ParameterSummary {
        When(\.$tip, .hasAnyValue) {
            Summary("Give ride \(\.$rideIdentifier) \(\.$rating) stars and \(\.$tip)")
        } otherwise: {
            Summary("Give ride \(\.$rideIdentifier) \(\.$rating) stars")
        }
    }

    public init() {}
}

/// A reason why a tip is not accepted.
enum TipUnsupportedReason: String, UnsupportedReason {
    case currencyUnsupported, belowMinimum, aboveMaximum
}

struct SendRideFeedbackHandler: IntentHandling {
    let fleet: Fleet
    let book: RideBook
    let clock: RideClock

    var resolution: some Resolution<SendRideFeedback> {
        Resolve(\.$tip) { tip, _ in
            guard let tip else { return .notRequired() }
            let currency = fleet.cancellationFee.currencyCode
            let most = CurrencyAmount(minorUnits: 50_00, currencyCode: currency)
            if tip.currencyCode != currency {
                return .unsupported(
                    reason: TipUnsupportedReason.currencyUnsupported, dialog: "Drivers here take \(currency).")
            }
            if tip.minorUnits <= 0 {
                return .unsupported(reason: TipUnsupportedReason.belowMinimum, dialog: "A tip is more than nothing.")
            }
            if tip > most {
                return .unsupported(reason: TipUnsupportedReason.aboveMaximum, dialog: "A tip can be up to \(most).")
            }
            return .success(tip)
        }
    }

    func confirm(_ feedback: SendRideFeedback, context: Context) async throws -> ConfirmResponse {
        switch try RideStatus(feedback.rideIdentifier, in: book.of(context), at: clock.now()).completionStatus {
        case .completedWithOutstandingFeedback: .ready
        case .completed: .failure(dialog: "You have rated that ride already.")
        case .canceledByUser: .failure(dialog: "Ride \(feedback.rideIdentifier) has been cancelled.")
        case nil: .failure(dialog: "Tell me how it was when you are there.")
        }
    }

    func handle(_ feedback: SendRideFeedback, context: Context) async throws -> HandleResponse {
        let own = RideBook.Feedback(
            rating: feedback.rating, tipMinorUnits: feedback.tip?.minorUnits ?? 0,
            idempotencyKey: context.idempotencyKey)
        guard try book.of(context).storeFeedback(own, on: feedback.rideIdentifier).idempotencyKey == own.idempotencyKey
        else {
            return .failure(dialog: "You have rated that ride already.")
        }
        let driver = fleet.driver(for: feedback.rideIdentifier)
        let dialog: LocalizedText =
            feedback.tip.map { "Thank you. \(driver) gets your \($0)." } ?? "Thank you. I'll tell \(driver)."
        return .success(dialog: dialog, values: ["rideIdentifier": feedback.rideIdentifier])
    }
}
