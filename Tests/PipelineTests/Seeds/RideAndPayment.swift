import IntentKit
import PipelineTestKit

// The article's examples, in the article's words.

struct RequestRide: Intent {
    static let title: LocalizedText = "Request a ride"
    @Parameter(title: "Drop-off", requestValueDialog: "Where are you going?") var dropOffLocation: Place
    static let parameters = Parameters<Self>(\.$dropOffLocation)
}

struct RequestRideHandler: IntentHandling {
    var notebook = Recorder<String>()

    func locationIsInsideServiceArea(_ location: Place) -> Bool { location.name != "Moon" }

    func resolveDropOffLocation(_ location: Place?, for intent: RequestRide) -> ResolutionResult<Place> {
        notebook.record("resolve \(location?.name ?? "nothing")")
        let result: ResolutionResult<Place>
        if let location {
            // If the location is valid, use it; otherwise, let the user know it is not supported.
            if locationIsInsideServiceArea(location) {
                result = .success(location)
            } else {
                result = .unsupported()
            }
        } else {
            // Ask for the drop-off location.
            result = .needsValue()
        }
        return result
    }

    var resolution: some Resolution<RequestRide> {
        Resolve(\.$dropOffLocation) { location, intent in resolveDropOffLocation(location, for: intent) }
    }
    func confirm(_ ride: RequestRide, context: Context) async throws -> ConfirmResponse {
        notebook.record("confirm \(ride.dropOffLocation.name)")
        return .ready
    }
    func handle(_ ride: RequestRide, context: Context) async throws -> HandleResponse {
        notebook.record("handle \(ride.dropOffLocation.name)")
        return .success
    }
}

struct SendPayment: Intent {
    static let title: LocalizedText = "Send a payment"
    @Parameter(title: "Payee", requestValueDialog: "Whom?") var payee: Person
    @Parameter(title: "Amount", requestValueDialog: "How much?") var currencyAmount: CurrencyAmount
    @Parameter(title: "Note") var note: String?
    static let parameters = Parameters<Self>(\.$payee, \.$currencyAmount, \.$note)
}

enum CurrencyAmountUnsupportedReason: String, UnsupportedReason { case currencyUnsupported, amountAboveMaximum }

struct SendPaymentHandler: IntentHandling {
    static let johns = [
        Person(displayName: "John", customIdentifier: "j1"),
        Person(displayName: "John", handle: "+44 1", customIdentifier: "j2"),
    ]

    var contacts = johns
    var favorites: Set<String> = []
    var notebook = Recorder<String>()

    var resolution: some Resolution<SendPayment> {
        Resolve(\.$payee) { payee, _ in
            notebook.record("payee")
            guard let payee else { return .needsValue() }
            if let id = payee.customIdentifier, let known = contacts.first(where: { $0.customIdentifier == id }) {
                return .success(known)
            }
            notebook.record("search \(payee.displayName)")
            let found = contacts.filter { $0.displayName == payee.displayName }
            if found.count == 1 { return .success(found[0]) }
            if let favorite = found.first(where: { favorites.contains($0.customIdentifier ?? "") }) {
                return .confirmationRequired(favorite)
            }
            return .disambiguation(found)
        }
        Resolve(\.$currencyAmount, after: \.$payee) { amount, payment in
            notebook.record("amount \(amount?.displayText ?? "nothing")")
            guard let amount else { return .needsValue() }
            guard ["EUR", "USD"].contains(amount.currencyCode) else {
                return .unsupported(
                    reason: CurrencyAmountUnsupportedReason.currencyUnsupported, dialog: "Only euros or US dollars.")
            }
            // Payees without a telephone number get at most 50.
            if payment.$payee.value?.handle == nil, amount.minorUnits > 50_00 {
                return .unsupported(reason: CurrencyAmountUnsupportedReason.amountAboveMaximum)
            }
            return .success(amount)
        }
    }
    func confirm(_ payment: SendPayment, context: Context) async throws -> ConfirmResponse {
        notebook.record("confirm \(payment.payee.customIdentifier ?? "-") \(payment.currencyAmount.displayText)")
        return .ready
    }
    func handle(_ payment: SendPayment, context: Context) async throws -> HandleResponse {
        notebook.record("handle \(payment.payee.customIdentifier ?? "-") \(payment.currencyAmount.displayText)")
        return .success
    }
}
