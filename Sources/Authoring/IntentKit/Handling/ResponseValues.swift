/// What an intent results in, as a type: the properties of a response that SiriKit generates for a custom intent.
///
/// ```swift
/// struct BookedRide: ResponseValues {
///     var rideIdentifier: RideIdentifier
///     var fare: CurrencyAmount
///     var driver: String?
/// }
/// return .success(dialog: "Booked.").returning(booked)    // response.rideIdentifier, response.fare
/// ```
/// Each stored property is a value of the response, under its name; one that is `nil` is left out. All have to be parameter types.
public protocol ResponseValues: Sendable {}

extension ResponseValues {
    /// By reflection, which takes some microseconds.
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

/// An optional value of a parameter type that is `nil`: one that is not is a parameter type itself.
private protocol EmptyParameter {}
extension Optional: EmptyParameter where Wrapped: ParameterValue {}
