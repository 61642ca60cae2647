import IntentKit

/// Why a place can't be gone to.
enum PlaceUnsupportedReason: String, UnsupportedReason {
    case unknownPlace, outsideServiceArea, sameAsPickup
}

extension City {
    /// What becomes of a place that a person named. One that was resolved before is known by its identifier and not looked for again.
    ///
    /// - Parameter other: Where the person is already.
    func resolve(_ place: Place, notAt other: Place? = nil, _ context: Context) -> ResolutionResult<Place> {
        if let known = place.identifier.flatMap({ self.place($0) }) { return accept(known, other) }
        if place.coordinate != nil { return accept(place, other) }
        switch find(place.name) {
        case .exactly(let place): return accept(place, other)
        case .oneOf(let places):
            let said = place.name.lowercased().hasPrefix("the ") ? place.name.dropFirst(4) : place.name[...]
            return .disambiguation(places, dialog: context.text("Which \(said) do you mean?"))
        case .maybe(let candidate):
            // Better to say at once that it can't be reached than to ask first.
            return isInside(candidate)
                ? .confirmationRequired(candidate, dialog: context.text("Did you mean \(candidate.name)?")) : accept(candidate, other)
        case .unknown:
            return .unsupported(
                reason: PlaceUnsupportedReason.unknownPlace, dialog: "I don't know '\(place.name.prefix(60))' in \(name).")
        }
    }

    private func accept(_ place: Place, _ other: Place?) -> ResolutionResult<Place> {
        if place.identifier != nil, place.identifier == other?.identifier {
            return .unsupported(reason: PlaceUnsupportedReason.sameAsPickup, dialog: "You are at \(place.name) already.")
        }
        guard isInside(place) else {
            return .unsupported(
                reason: PlaceUnsupportedReason.outsideServiceArea, dialog: "We only drive in \(name), and \(place.name) is outside.")
        }
        return .success(place)
    }

    private func isInside(_ place: Place) -> Bool { place.coordinate.map { contains($0) } ?? false }
}
