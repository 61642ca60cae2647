import IntentKit

/// One of the available rides (SiriKit: `INRideOption` in the response to a list).
struct ListedRide: ParameterValue {
    let option: RideOption
    let fare: CurrencyAmount
    let minutesToPickup: Int

    init(_ option: RideOption, _ quote: Quote) {
        self.option = option
        fare = quote.fare
        minutesToPickup = quote.minutesToPickup
    }

    static var jsonKind: JSONView.Kind { .object }
    static var typeDescription: String { "a ride that can be had" }

    /// Always `nil`: values of this type are sent and never read.
    init?(json: JSONView) { return nil }

    func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", option.name)
        writer.member("seats", option.seats)
        writer.member("fare", JSON(fare))
        writer.member("minutesToPickup", minutesToPickup)
        writer.endObject()
    }

    var displayText: String { option.name }
    var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(option.name), subtitle: "\(fare), in \(minutesToPickup) minutes")
    }
    /// The name, because answers contain nothing else.
    var optionID: String { option.name }
}
