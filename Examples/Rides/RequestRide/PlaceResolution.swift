import IntentKit

/// A reason why a place can't be part of a ride.
enum PlaceUnsupportedReason: String, UnsupportedReason {
    case unknownPlace, outsideServiceArea, sameAsPickup
}

extension City {
    /// Resolves a place that a person named. A place that was resolved before has an identifier and is not searched for
    /// again.
    ///
    /// - Parameter other: The pickup. The drop-off must be another place.
    func resolve(_ place: Place, notAt other: Place? = nil, _ context: Context) -> ResolutionResult<Place> {
        if let known = place.identifier.flatMap({ self.place($0) }) { return accept(known, other) }
        if place.coordinate != nil { return accept(place, other) }
        switch find(place.name) {
        case .exactly(let place): return accept(place, other)
        case .oneOf(let places):
            let said = place.name.lowercased().hasPrefix("the ") ? place.name.dropFirst(4) : place.name[...]
            return .disambiguation(places, dialog: "Which \(said) do you mean?")
        case .maybe(let candidate):
            // A candidate outside the city is rejected at once, instead of asking the person about it first.
            return isInside(candidate)
                ? .confirmationRequired(candidate, dialog: "Did you mean \(candidate.name)?") : accept(candidate, other)
        case .unknown:
            return .unsupported(
                reason: PlaceUnsupportedReason.unknownPlace,
                dialog: "I don't know '\(place.name.prefix(60))' in \(name).")
        }
    }

    private func accept(_ place: Place, _ other: Place?) -> ResolutionResult<Place> {
        if place.identifier != nil, place.identifier == other?.identifier {
            return .unsupported(
                reason: PlaceUnsupportedReason.sameAsPickup, dialog: "You are at \(place.name) already.")
        }
        guard isInside(place) else {
            return .unsupported(
                reason: PlaceUnsupportedReason.outsideServiceArea,
                dialog: "We only drive in \(name), and \(place.name) is outside.")
        }
        return .success(place)
    }

    private func isInside(_ place: Place) -> Bool { place.coordinate.map { contains($0) } ?? false }
}
