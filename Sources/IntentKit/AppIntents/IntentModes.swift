/// Where an ``AppIntent`` may run: App Intents' type of the same name.
///
/// In the background a worker performs it. In the foreground the person goes on in the app, which gets the intent with a user activity.
public struct IntentModes: OptionSet, Sendable, Hashable {
    /// When the app comes forward.
    public enum ForegroundMode: Int, Sendable, Hashable, CaseIterable {
        /// At once: `perform()` is not called, the app does it.
        case immediate = 1
        /// When `perform()` calls `continueInForeground`; if it doesn't, not at all.
        case dynamic
        /// When `perform()` has returned: its value and dialog go along, and the app finishes it.
        case deferred
    }

    public let rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }

    public static let background = IntentModes(rawValue: 1)
    /// The same as `.foreground(.immediate)`.
    public static let foreground = foreground(.immediate)
    public static func foreground(_ mode: ForegroundMode) -> IntentModes { IntentModes(rawValue: 1 << mode.rawValue) }

    var includesForeground: Bool { ForegroundMode.allCases.contains { contains(.foreground($0)) } }
}
