import DequeModule
public import RecordLog
import Synchronization

/// Writes records from any thread, and resumes each sender when the broker has acknowledged its record.
///
/// One thread drives the writer with ``step(timeout:)``, like a worker.
public final class AcknowledgedWriter: Sendable {
    /// The maximum number of records that wait for their acknowledgement.
    public static let maximumWaiting = 1_024

    private typealias Sender = CheckedContinuation<Void, any Error>

    private struct State {
        var unsent = Deque<(record: Record, token: UInt64)>()
        var senders: [UInt64: Sender] = [:]
        var lastToken: UInt64 = 0
        var isClosed = false
    }

    private let client: any LogClient
    private let state = Mutex(State())

    /// - Parameter client: A client that only writes and that nothing else polls.
    public init(client: any LogClient) { self.client = client }

    /// Writes a record, and returns when the record is in the log.
    ///
    /// - Throws: ``RecordLog/LogError`` if the record could not be written, if too many records wait, or if this writer
    ///   is closed.
    public func write(_ record: Record) async throws {
        try await withCheckedThrowingContinuation { (sender: Sender) in
            let refusal = state.withLock { state -> LogError? in
                if state.isClosed { return LogError(.closed, "the process is ending") }
                if state.senders.count >= Self.maximumWaiting {
                    return LogError(.queueFull, "too many records wait for the log")
                }
                state.lastToken += 1
                state.senders[state.lastToken] = sender
                state.unsent.append((record, state.lastToken))
                return nil
            }
            if let refusal { sender.resume(throwing: refusal) } else { client.wake() }
        }
    }

    /// Sends waiting records and handles acknowledgements.
    ///
    /// - Parameter timeout: The maximum time to wait if there is nothing to do.
    /// - Returns: `true` if there was something to do.
    /// - Throws: ``RecordLog/LogError`` after which this writer must not continue.
    @discardableResult
    public func step(timeout: Duration) throws(LogError) -> Bool {
        var isBusy = false
        while let (record, token) = state.withLock({ $0.unsent.popFirst() }) {
            isBusy = true
            do { try client.send(record, token: token) } catch {
                if error.code == .queueFull {
                    state.withLock { $0.unsent.prepend((record, token)) }
                    break
                }
                answer(token, error)
            }
        }
        let hasMore = state.withLock { !$0.unsent.isEmpty }
        let events = try client.poll(maximum: 500, timeout: hasMore ? min(timeout, .milliseconds(10)) : timeout)
        for event in events {
            if case .delivered(let delivery) = event { answer(delivery.token, delivery.error) }
        }
        return isBusy || !events.isEmpty
    }

    /// Waits for the acknowledgements of sent records, fails the rest, and closes the client.
    public func close(timeout: Duration) throws(LogError) {
        state.withLock { $0.isClosed = true }
        let end = ContinuousClock.now.advanced(by: timeout)
        defer { refuseAll() }
        while state.withLock({ !$0.senders.isEmpty }), ContinuousClock.now < end {
            try step(timeout: .milliseconds(50))
        }
        try client.close(timeout: timeout)
    }

    private func answer(_ token: UInt64, _ error: LogError?) {
        guard let sender = state.withLock({ $0.senders.removeValue(forKey: token) }) else { return }
        if let error { sender.resume(throwing: error) } else { sender.resume() }
    }

    private func refuseAll() {
        let senders = state.withLock { state in
            defer { state.senders = [:] }
            return state.senders.values
        }
        for sender in senders {
            sender.resume(throwing: LogError(.closed, "the process ended before the log acknowledged the record"))
        }
    }
}
