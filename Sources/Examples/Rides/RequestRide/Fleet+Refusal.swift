import IntentKit

extension Fleet {
    /// What stands in the way of any ride between these places; `nil` if nothing does.
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
