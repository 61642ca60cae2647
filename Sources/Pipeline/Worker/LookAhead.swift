import Conversation
import IntentModel

/// The cancels that are read ahead of the group's position while the worker is full.
///
/// Each is remembered until the group's own reading reaches it, so that work in between is cancelled before it is begun, and so that the next pause
/// continues where this one has stopped.
struct LookAhead {
    /// Cancels beyond that are applied to running work and not remembered. The next pause reads from the group's position again.
    static let maximumCancels = 4_096

    /// Whether the group's reading is paused, because the worker is full.
    var isPaused = false
    private(set) var isReading = false
    /// The time when reading begins; `nil` unless the partitions are paused.
    var begins: Instant?
    /// Where to continue in each partition of which all cancels before that are remembered.
    private var positions: [Int32: Int64] = [:]
    /// By session and request.
    private var cancels: [Identifier: (cancel: WorkCancel, offset: Int64)] = [:]
    /// Partitions with a cancel that was not remembered.
    private var incomplete: Set<Int32> = []

    var isEmpty: Bool { cancels.isEmpty }

    /// Begins reading.
    mutating func begin() {
        isReading = true
        incomplete = []
    }

    mutating func end() {
        isReading = false
        begins = nil
    }

    /// Where to read a partition from.
    ///
    /// - Parameter next: the offset that the group reads next.
    func start(_ partition: Int32, next: Int64) -> Int64 { max(next, positions[partition] ?? next) }

    /// A record was read, whatever it is.
    mutating func passed(_ partition: Int32, _ offset: Int64) {
        if !incomplete.contains(partition) { positions[partition] = offset + 1 }
    }

    mutating func remember(_ cancel: WorkCancel, session: Identifier, partition: Int32, offset: Int64) {
        let key = Session.key(session: session, request: cancel.request)
        guard cancels.count < Self.maximumCancels || cancels[key] != nil else {
            incomplete.insert(partition)
            positions[partition] = nil
            return
        }
        if let known = cancels[key], known.cancel.step > cancel.step { return }
        cancels[key] = (cancel, offset)
    }

    /// The cancel of work that is only taken now, if it is known already.
    func cancel(of item: WorkItem, session: Identifier) -> WorkCancel? {
        if cancels.isEmpty { return nil }
        guard let known = cancels[Session.key(session: session, request: item.request)], item.step <= known.cancel.step
        else { return nil }
        return known.cancel
    }

    /// The group's own reading has reached a cancel.
    ///
    /// - Returns: whether it was read ahead.
    mutating func reached(_ cancel: WorkCancel, session: Identifier, offset: Int64) -> Bool {
        if cancels.isEmpty { return false }
        let key = Session.key(session: session, request: cancel.request)
        guard let known = cancels[key] else { return false }
        if known.offset <= offset { cancels[key] = nil }
        return true
    }
}
