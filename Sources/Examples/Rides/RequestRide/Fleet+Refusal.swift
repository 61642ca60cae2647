import IntentKit

extension Fleet {
    /// The reason why there are no rides between these places; `nil` if there are.
    func refusal(from start: Place, to end: Place, in city: City, _ context: Context) -> IntentResponse? {
        if context.attributes["unpaidRide"] != nil {
            let dialog = context.text("Your last ride has not been paid yet.")
            return .failure(.failureRequiringAppLaunchPreviousRideNeedsCompletion, dialog: dialog)
        }
        for place in [start, end] {
            guard let district = city.district(of: place), serves(district) else {
                let dialog = context.text("No car goes to \(place.name).")
                return .failure(.failureRequiringAppLaunchNoServiceInArea, dialog: dialog)
            }
            if let closure = closure(of: district) {
                let dialog = context.text(LocalizedText(key: closure))
                return .failure(.failureRequiringAppLaunchServiceTemporarilyUnavailable, dialog: dialog)
            }
        }
        return nil
    }
}
