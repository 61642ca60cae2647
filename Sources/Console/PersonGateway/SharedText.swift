import IntentModel
import Synchronization

/// The forms of an event that all its readers share, so that each form is made once and not for each reader.
final class SharedText: Sendable {
    private let made = Mutex<(cloudEvent: JSON?, masked: TimelineEvent?)>((nil, nil))

    func cloudEvent(_ make: () -> JSON) -> JSON {
        made.withLock { made in
            if let text = made.cloudEvent { return text }
            let text = make()
            made.cloudEvent = text
            return text
        }
    }

    func masked(_ make: () -> TimelineEvent) -> TimelineEvent {
        made.withLock { made in
            if let event = made.masked { return event }
            let event = make()
            made.masked = event
            return event
        }
    }
}
