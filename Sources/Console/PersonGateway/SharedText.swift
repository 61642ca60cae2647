import IntentModel
import Synchronization

/// The forms of an event that all its readers share, so that each form is made once and not for each reader.
final class SharedText: Sendable {
    private let event = Mutex<JSON?>(nil)
    private let maskedEvent = Mutex<TimelineEvent?>(nil)

    func cloudEvent(_ make: () -> JSON) -> JSON { event.withLock { Self.once(&$0, make) } }
    func masked(_ make: () -> TimelineEvent) -> TimelineEvent { maskedEvent.withLock { Self.once(&$0, make) } }

    private static func once<Form>(_ form: inout Form?, _ make: () -> Form) -> Form {
        if let form { return form }
        let made = make()
        form = made
        return made
    }
}
