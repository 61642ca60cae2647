/// The intent that undoes another intent, for as long as it can: a booked ride can be cancelled.
///
/// The person's side learns that the offer exists, and asks for it with `undo.requested.v1`. The intent is then
/// requested, resolved, confirmed and handled like any other intent.
public struct UndoOffer: Sendable, Hashable {
    public var intent: OpenedIntent
    /// The label of a button, such as "Cancel the ride". Defaults to the intent's name.
    public var title: String?
    /// The duration of the offer: a second to a day. Defaults to ``usualTime``.
    public var validFor: Duration

    public init(_ intent: OpenedIntent, title: String? = nil, validFor: Duration = usualTime) {
        self.intent = intent
        self.title = title
        self.validFor = validFor
    }

    /// The usual duration of an offer: 10 minutes.
    public static let usualTime = Duration.seconds(600)
    package static let times = Duration.seconds(1) ... .seconds(86_400)
}
