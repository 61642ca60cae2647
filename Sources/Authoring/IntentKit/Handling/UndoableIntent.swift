/// An intent that another intent can take back: App Intents' protocol of the same name.
///
/// ```swift
/// extension RequestRide: UndoableIntent {
///     static let undoTitle: LocalizedText? = "Cancel the ride"
///     func inverse(of response: HandleResponse) -> (any Intent)? {
///         response.values(as: BookedRide.self).map { CancelRide(ride: $0.rideIdentifier) }
///     }
/// }
/// ```
/// After a success the completion offers the inverse for ``undoTimeout``. If the person asks for it, it is requested as any other intent is: with its own
/// resolution, its own confirmation and its own completion.
public protocol UndoableIntent: Intent {
    /// The intent that takes this one back; `nil` if this time nothing can.
    ///
    /// - Parameter response: What handle has returned.
    func inverse(of response: HandleResponse) -> (any Intent)?
    /// What the inverse does, for a button. Defaults to the inverse's title.
    static var undoTitle: LocalizedText? { get }
    /// How long it is offered: a second to a day, and not longer than an idle session is remembered. Defaults to 10 minutes.
    static var undoTimeout: Duration { get }
}

extension UndoableIntent {
    public static var undoTitle: LocalizedText? { nil }
    public static var undoTimeout: Duration { UndoOffer.usualTime }

    /// What the completion offers after this response; `nil` for nothing.
    package func undoOffer(after response: HandleResponse, in locale: String?) -> UndoOffer? {
        guard let inverse = inverse(of: response) else { return nil }
        let title = Self.undoTitle ?? type(of: inverse).title
        return UndoOffer(OpenedIntent(inverse), title: title.text(in: locale), validFor: Self.undoTimeout)
    }
}
