import DequeModule
import RecordLog

/// Sends records in order, and keeps those that the client has no room for until it has.
struct Outbound {
    private let client: any LogClient
    private var unsent = Deque<(record: Record, token: UInt64)>()

    init(_ client: any LogClient) { self.client = client }

    /// Records that wait for room.
    var backlog: Int { unsent.count }

    mutating func send(_ record: Record, token: UInt64) throws(LogError) {
        guard unsent.isEmpty else { return unsent.append((record, token)) }
        do { try client.send(record, token: token) } catch {
            guard error.code == .queueFull else { throw error }
            unsent.append((record, token))
        }
    }

    mutating func flush() throws(LogError) {
        while let (record, token) = unsent.first {
            do { try client.send(record, token: token) } catch {
                if error.code == .queueFull { return }
                throw error
            }
            unsent.removeFirst()
        }
    }
}
