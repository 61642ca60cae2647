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
