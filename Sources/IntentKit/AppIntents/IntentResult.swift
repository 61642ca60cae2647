/// What ``AppIntent/perform()`` returns: App Intents' protocol of the same name.
///
/// `perform()` promises `some IntentResult` with what it provides, and returns `.result(…)` with exactly that:
///
/// | promised | returned | in the completion |
/// |---|---|---|
/// | `some IntentResult` | `.result()` | code `success` |
/// | `& ReturnsValue<Int>` | `.result(value: 3)` | `response.value` |
/// | `& ProvidesDialog` | `.result(dialog: "Done")` | `dialog` |
/// | `& ReturnsItems` | `.result(items: found)` | `items` |
/// | `& OpensIntent` | `.result(opensIntent: ShowOrder(…))` | the request that follows |
public protocol IntentResult: Sendable {
    var response: IntentResponse { get }
}

/// A result with a value, for whoever made the request: App Intents' protocol of the same name.
public protocol ReturnsValue<Value>: IntentResult {
    associatedtype Value: ParameterValue
    var value: Value? { get }
}

/// A result that tells the person something: App Intents' protocol of the same name.
public protocol ProvidesDialog: IntentResult {}

/// A result with another intent that is to be done next, as a request of its own: App Intents' protocol of the same name.
public protocol OpensIntent: IntentResult {}

/// A result with things for the person to look through and choose from.
public protocol ReturnsItems: IntentResult {}

/// The results that `.result(…)` makes; what it doesn't have is `Never`. Write `some IntentResult` instead.
public struct IntentResultContainer<Value: Sendable, Dialog: Sendable, Opened: Sendable, Item: Sendable>: IntentResult {
    public let value: Value?
    public let response: IntentResponse
}

extension IntentResultContainer: ReturnsValue where Value: ParameterValue {}
extension IntentResultContainer: ProvidesDialog where Dialog == String {}
extension IntentResultContainer: OpensIntent where Opened: Intent {}
extension IntentResultContainer: ReturnsItems where Item: ParameterValue {}

/// What `perform()` returns; see ``IntentResult``. The value goes into the response as `value`.
extension IntentResult {
    /// Done.
    public static func result() -> Self where Self == IntentResultContainer<Never, Never, Never, Never> {
        Self(value: nil, response: .performed())
    }

    /// Done, and this is what the person is told.
    public static func result(dialog: String) -> Self where Self == IntentResultContainer<Never, String, Never, Never> {
        Self(value: nil, response: .performed(dialog: dialog))
    }

    /// Done, with a value.
    public static func result<Value: ParameterValue>(value: Value) -> Self where Self == IntentResultContainer<Value, Never, Never, Never> {
        Self(value: value, response: .performed(value: JSON(value)))
    }

    /// Done, with a value, and this is what the person is told.
    public static func result<Value: ParameterValue>(value: Value, dialog: String) -> Self
    where Self == IntentResultContainer<Value, String, Never, Never> {
        Self(value: value, response: .performed(dialog: dialog, value: JSON(value)))
    }

    /// Done: this is what was found.
    public static func result<Item: ParameterValue>(items: [Item]) -> Self where Self == IntentResultContainer<Never, Never, Never, Item> {
        Self(value: nil, response: .performed(items: items))
    }

    /// Done: this is what was found, and what the person is told.
    public static func result<Item: ParameterValue>(items: [Item], dialog: String) -> Self
    where Self == IntentResultContainer<Never, String, Never, Item> {
        Self(value: nil, response: .performed(dialog: dialog, items: items))
    }

    /// Done, with a value, and with what was found.
    public static func result<Value: ParameterValue, Item: ParameterValue>(value: Value, items: [Item]) -> Self
    where Self == IntentResultContainer<Value, Never, Never, Item> {
        Self(value: value, response: .performed(value: JSON(value), items: items))
    }

    /// Done, with a value and with what was found, and this is what the person is told.
    public static func result<Value: ParameterValue, Item: ParameterValue>(value: Value, items: [Item], dialog: String) -> Self
    where Self == IntentResultContainer<Value, String, Never, Item> {
        Self(value: value, response: .performed(dialog: dialog, value: JSON(value), items: items))
    }

    /// Done, and that intent is to be done next.
    public static func result<Opened: Intent>(opensIntent: Opened) -> Self
    where Self == IntentResultContainer<Never, Never, Opened, Never> {
        Self(value: nil, response: .performed(opens: OpenedIntent(opensIntent)))
    }

    /// Done, that intent is to be done next, and this is what the person is told.
    public static func result<Opened: Intent>(opensIntent: Opened, dialog: String) -> Self
    where Self == IntentResultContainer<Never, String, Opened, Never> {
        Self(value: nil, response: .performed(dialog: dialog, opens: OpenedIntent(opensIntent)))
    }

    /// Done, with a value, and that intent is to be done next.
    public static func result<Value: ParameterValue, Opened: Intent>(value: Value, opensIntent: Opened) -> Self
    where Self == IntentResultContainer<Value, Never, Opened, Never> {
        Self(value: value, response: .performed(value: JSON(value), opens: OpenedIntent(opensIntent)))
    }

    /// Done, with a value, that intent is to be done next, and this is what the person is told.
    public static func result<Value: ParameterValue, Opened: Intent>(value: Value, opensIntent: Opened, dialog: String) -> Self
    where Self == IntentResultContainer<Value, String, Opened, Never> {
        Self(value: value, response: .performed(dialog: dialog, value: JSON(value), opens: OpenedIntent(opensIntent)))
    }
}

extension IntentResponse {
    fileprivate static func performed(
        dialog: String? = nil, value: JSON? = nil, items: [any ParameterValue] = [], opens: OpenedIntent? = nil
    ) -> IntentResponse {
        var response = IntentResponse(.success, dialog: dialog)
        if let value { response.values["value"] = value }
        response.items = ParameterOption.list(items, in: Context.current?.locale)
        response.opensIntent = opens
        return response
    }
}
