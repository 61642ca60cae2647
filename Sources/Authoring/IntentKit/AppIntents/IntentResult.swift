/// The result of ``AppIntent/perform()``: App Intents' protocol of the same name.
///
/// `perform()` declares `some IntentResult` with the parts that it provides, and returns `.result(…)` with exactly
/// these parts:
///
/// | declared | returned | in the completion |
/// |---|---|---|
/// | `some IntentResult` | `.result()` | code `success` |
/// | `& ReturnsValue<Int>` | `.result(value: 3)` | `response.value` |
/// | `& ProvidesDialog` | `.result(dialog: "Done")` | `dialog` |
/// | `& ReturnsItems` | `.result(items: found)` | `items` |
/// | `& OpensIntent` | `.result(opensIntent: ShowOrder(…))` | the request that follows |
public protocol IntentResult: Sendable {
    var response: HandleResponse { get }
}

/// A result with a value, for the sender of the request: App Intents' protocol of the same name.
public protocol ReturnsValue<Value>: IntentResult {
    associatedtype Value: ParameterValue
    var value: Value? { get }
}

/// A result with a dialog for the person: App Intents' protocol of the same name.
public protocol ProvidesDialog: IntentResult {}

/// A result with another intent to continue with, as a separate request: App Intents' protocol of the same name.
public protocol OpensIntent: IntentResult {}

/// A result with items for the person to look through and choose from.
public protocol ReturnsItems: IntentResult {}

/// The concrete type of `.result(…)`, in which absent parts are `Never`. Write `some IntentResult` instead.
public struct IntentResultContainer<Value: Sendable, Dialog: Sendable, Opened: Sendable, Item: Sendable>: IntentResult {
    public let value: Value?
    public let response: HandleResponse
}

extension IntentResultContainer: ReturnsValue where Value: ParameterValue {}
extension IntentResultContainer: ProvidesDialog where Dialog == LocalizedText {}
extension IntentResultContainer: OpensIntent where Opened: Intent {}
extension IntentResultContainer: ReturnsItems where Item: ParameterValue {}

/// The results that `perform()` can return; see ``IntentResult``. A value is in the response as `value`.
extension IntentResult {
    /// Returns success.
    public static func result() -> Self where Self == IntentResultContainer<Never, Never, Never, Never> {
        Self(value: nil, response: .performed())
    }

    /// Returns success with a dialog for the person.
    public static func result(dialog: LocalizedText) -> Self
    where Self == IntentResultContainer<Never, LocalizedText, Never, Never> {
        Self(value: nil, response: .performed(dialog: dialog))
    }

    /// Returns success with a value.
    public static func result<Value: ParameterValue>(value: Value) -> Self
    where Self == IntentResultContainer<Value, Never, Never, Never> {
        Self(value: value, response: .performed(value: JSON(value)))
    }

    /// Returns success with a value and a dialog for the person.
    public static func result<Value: ParameterValue>(value: Value, dialog: LocalizedText) -> Self
    where Self == IntentResultContainer<Value, LocalizedText, Never, Never> {
        Self(value: value, response: .performed(dialog: dialog, value: JSON(value)))
    }

    /// Returns success with the items that were found.
    public static func result<Item: ParameterValue>(items: [Item]) -> Self
    where Self == IntentResultContainer<Never, Never, Never, Item> {
        Self(value: nil, response: .performed(items: items))
    }

    /// Returns success with the items that were found and a dialog for the person.
    public static func result<Item: ParameterValue>(items: [Item], dialog: LocalizedText) -> Self
    where Self == IntentResultContainer<Never, LocalizedText, Never, Item> {
        Self(value: nil, response: .performed(dialog: dialog, items: items))
    }

    /// Returns success with a value and the items that were found.
    public static func result<Value: ParameterValue, Item: ParameterValue>(value: Value, items: [Item]) -> Self
    where Self == IntentResultContainer<Value, Never, Never, Item> {
        Self(value: value, response: .performed(value: JSON(value), items: items))
    }

    /// Returns success with a value, the items that were found and a dialog for the person.
    public static func result<Value: ParameterValue, Item: ParameterValue>(
        value: Value, items: [Item], dialog: LocalizedText
    ) -> Self
    where Self == IntentResultContainer<Value, LocalizedText, Never, Item> {
        Self(value: value, response: .performed(dialog: dialog, value: JSON(value), items: items))
    }

    /// Returns success with an intent to continue with.
    public static func result<Opened: Intent>(opensIntent: Opened) -> Self
    where Self == IntentResultContainer<Never, Never, Opened, Never> {
        Self(value: nil, response: .performed(opens: OpenedIntent(opensIntent)))
    }

    /// Returns success with an intent to continue with and a dialog for the person.
    public static func result<Opened: Intent>(opensIntent: Opened, dialog: LocalizedText) -> Self
    where Self == IntentResultContainer<Never, LocalizedText, Opened, Never> {
        Self(value: nil, response: .performed(dialog: dialog, opens: OpenedIntent(opensIntent)))
    }

    /// Returns success with a value and an intent to continue with.
    public static func result<Value: ParameterValue, Opened: Intent>(value: Value, opensIntent: Opened) -> Self
    where Self == IntentResultContainer<Value, Never, Opened, Never> {
        Self(value: value, response: .performed(value: JSON(value), opens: OpenedIntent(opensIntent)))
    }

    /// Returns success with a value, an intent to continue with and a dialog for the person.
    public static func result<Value: ParameterValue, Opened: Intent>(
        value: Value, opensIntent: Opened, dialog: LocalizedText
    ) -> Self
    where Self == IntentResultContainer<Value, LocalizedText, Opened, Never> {
        Self(value: value, response: .performed(dialog: dialog, value: JSON(value), opens: OpenedIntent(opensIntent)))
    }
}

extension HandleResponse {
    fileprivate static func performed(
        dialog: LocalizedText? = nil, value: JSON? = nil, items: [any ParameterValue] = [], opens: OpenedIntent? = nil
    ) -> HandleResponse {
        var response = HandleResponse(.success, dialog)
        if let value { response.base.values["value"] = value }
        response.items = items
        response.base.opensIntent = opens
        return response
    }
}
