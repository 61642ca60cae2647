/// A word for the action of an intent, which labels the buttons of its confirmation: App Intents' type of the same
/// name.
public struct ConfirmationActionName: Sendable, Hashable {
    /// The name of the action, as in ``ConfirmationAction/name``.
    package let name: String
    let acceptLabel: LocalizedText
    let acceptAlternatives: [LocalizedText]
    let denyLabel: LocalizedText
    let denyAlternatives: [LocalizedText]
    let isDestructive: Bool

    /// Creates an action with labels of your own.
    ///
    /// - Parameters:
    ///   - acceptAlternatives: Additional words with which a person may accept.
    ///   - denyAlternatives: Additional words with which a person may decline.
    ///   - destructive: `true` if the action removes something. The person's side should set such an action apart.
    public static func custom(
        acceptLabel: LocalizedText, acceptAlternatives: [LocalizedText] = [],
        denyLabel: LocalizedText = BuiltInText.action("Cancel"),
        denyAlternatives: [LocalizedText] = [], destructive: Bool = false
    ) -> Self {
        Self(
            name: "custom", acceptLabel: acceptLabel, acceptAlternatives: acceptAlternatives, denyLabel: denyLabel,
            denyAlternatives: denyAlternatives, isDestructive: destructive)
    }

    public static let `continue` = named("continue", "Continue")
    public static let `do` = named("do", "Do")
    public static let go = named("go", "Go")
    public static let add = named("add", "Add")
    public static let book = named("book", "Book")
    public static let buy = named("buy", "Buy")
    public static let call = named("call", "Call")
    public static let checkIn = named("checkIn", "Check In")
    public static let create = named("create", "Create")
    public static let download = named("download", "Download")
    public static let filter = named("filter", "Filter")
    public static let find = named("find", "Find")
    public static let get = named("get", "Get")
    public static let log = named("log", "Log")
    public static let open = named("open", "Open")
    public static let order = named("order", "Order")
    public static let pay = named("pay", "Pay")
    public static let play = named("play", "Play")
    public static let playSound = named("playSound", "Play Sound")
    public static let post = named("post", "Post")
    public static let request = named("request", "Request")
    public static let run = named("run", "Run")
    public static let search = named("search", "Search")
    public static let send = named("send", "Send")
    public static let set = named("set", "Set")
    public static let share = named("share", "Share")
    public static let start = named("start", "Start")
    public static let startNavigation = named("startNavigation", "Start Navigation")
    public static let toggle = named("toggle", "Toggle")
    public static let turnOff = named("turnOff", "Turn Off")
    public static let turnOn = named("turnOn", "Turn On")
    public static let view = named("view", "View")

    /// All predefined actions.
    package static let all: [Self] = [
        .`continue`, .`do`, .go, .add, .book, .buy, .call, .checkIn, .create, .download, .filter, .find, .get, .log,
        .open, .order, .pay,
        .play, .playSound, .post, .request, .run, .search, .send, .set, .share, .start, .startNavigation, .toggle,
        .turnOff, .turnOn, .view,
    ]

    private static func named(_ name: String, _ label: String) -> Self {
        Self(
            name: name, acceptLabel: BuiltInText.action(label), acceptAlternatives: [],
            denyLabel: BuiltInText.action("Cancel"),
            denyAlternatives: [], isDestructive: false)
    }

    package func action(in locale: String?) -> ConfirmationAction {
        ConfirmationAction(
            name: name, acceptLabel: acceptLabel.text(in: locale),
            acceptAlternatives: acceptAlternatives.map { $0.text(in: locale) },
            denyLabel: denyLabel.text(in: locale), denyAlternatives: denyAlternatives.map { $0.text(in: locale) },
            isDestructive: isDestructive)
    }
}
