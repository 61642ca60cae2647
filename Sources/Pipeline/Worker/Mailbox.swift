import Conversation
import DequeModule
import IntentModel
import Synchronization

/// Messages from running jobs, from any thread.
final class Mailbox: Sendable {
    enum Message: Sendable {
        case progressed(job: UInt64, fraction: Double?, dialog: String?)
        case finished(job: UInt64, Outcome.Content)
        case updated(job: UInt64, IntentUpdate)
    }

    private let messages = Mutex<Deque<Message>>([])
    private let wake: @Sendable () -> Void

    init(wake: @escaping @Sendable () -> Void) { self.wake = wake }

    func post(_ message: Message) {
        let wasEmpty = messages.withLock { messages in
            messages.append(message)
            return messages.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Jobs that have finished and whose message was not taken yet.
    var finished: Int {
        messages.withLock { messages in messages.count { if case .finished = $0 { true } else { false } } }
    }

    /// Takes the messages in exchange for a queue without any, so that neither needs new memory. Takes none while messages
    /// are left in the other queue.
    func take(_ taken: inout Deque<Message>) {
        if taken.isEmpty { messages.withLock { swap(&$0, &taken) } }
    }
}
