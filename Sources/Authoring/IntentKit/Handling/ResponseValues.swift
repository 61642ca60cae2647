/// The results of an intent as a type: the equivalent of the response properties that SiriKit generates for a custom
/// intent.
///
/// ```swift
/// struct BookedRide: ResponseValues {
///     var rideIdentifier: RideIdentifier
///     var fare: CurrencyAmount
///     var driver: String?
/// }
/// return .success(dialog: "Booked.").returning(booked)    // response.rideIdentifier, response.fare
/// ```
/// Each stored property is a value of the response, under the name of the property; a property that is `nil` is
/// omitted. All properties must have parameter types.
public protocol ResponseValues: Sendable {}

extension ResponseValues {
    /// Adds the properties to the values of a response, by reflection, which takes some microseconds.
    func add(to values: inout [String: JSON]) throws(IntentFailure) {
        for child in Mirror(reflecting: self).children {
            guard let label = child.label else { continue }
            if let value = child.value as? any ParameterValue {
                values[label] = JSON(value)
            } else if !(child.value is any EmptyParameter) {
                throw IntentFailure(
                    .failure(.failure), reason: .internal,
                    message: "\(Self.self).\(label) is a \(type(of: child.value)), which is not a parameter type")
            }
        }
    }
}

/// An optional of a parameter type. Only `nil` is tested for this conformance, because a non-`nil` value casts to
/// ``ParameterValue`` first.
private protocol EmptyParameter {}
extension Optional: EmptyParameter where Wrapped: ParameterValue {}
