/// An intent that another intent can undo: App Intents' protocol of the same name.
///
/// ```swift
/// extension RequestRide: UndoableIntent {
///     static let undoTitle: LocalizedText? = "Cancel the ride"
///     func inverse(of response: HandleResponse) -> (any Intent)? {
///         response.values(as: BookedRide.self).map { CancelRide(ride: $0.rideIdentifier) }
///     }
/// }
/// ```
/// After a success, the completion offers the inverse for ``undoTimeout``. If the person requests the inverse, it runs
/// like any other intent: with its own resolution, confirmation and completion.
public protocol UndoableIntent: Intent {
    /// Returns the intent that undoes this intent; `nil` if the response can't be undone.
    ///
    /// - Parameter response: The response of handle.
    func inverse(of response: HandleResponse) -> (any Intent)?
    /// The title of the inverse, for a button. Defaults to the title of the inverse intent.
    static var undoTitle: LocalizedText? { get }
    /// The time for which the inverse is offered: a second to a day, but at most the idle timeout of the session.
    /// Defaults to 10 minutes.
    static var undoTimeout: Duration { get }
}

extension UndoableIntent {
    public static var undoTitle: LocalizedText? { nil }
    public static var undoTimeout: Duration { UndoOffer.usualTime }

    /// Returns the offer of the completion after this response; `nil` if the response can't be undone.
    package func undoOffer(after response: HandleResponse, in locale: String?) -> UndoOffer? {
        guard let inverse = inverse(of: response) else { return nil }
        let title = Self.undoTitle ?? type(of: inverse).title
        return UndoOffer(OpenedIntent(inverse), title: title.text(in: locale), validFor: Self.undoTimeout)
    }
}
