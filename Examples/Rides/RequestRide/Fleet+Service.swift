import IntentKit

extension Fleet {
    /// Checks that there are rides between these places.
    func check(from start: Place, to end: Place, in city: City, _ context: Context) throws(FailureResponse) {
        if context.attributes["unpaidRide"] != nil {
            throw .failure(
                .failureRequiringAppLaunchPreviousRideNeedsCompletion, dialog: "Your last ride has not been paid yet.")
        }
        for place in [start, end] {
            guard let district = city.district(of: place), serves(district) else {
                throw .failure(.failureRequiringAppLaunchNoServiceInArea, dialog: "No car goes to \(place.name).")
            }
            if let closure = closure(of: district) {
                throw .failure(
                    .failureRequiringAppLaunchServiceTemporarilyUnavailable, dialog: LocalizedText(key: closure))
            }
        }
    }
}
