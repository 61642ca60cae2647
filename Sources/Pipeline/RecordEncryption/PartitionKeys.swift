import DequeModule
import IntentModel
import RecordLog

/// The keys of one partition, and the records that wait for keys. A pure value: ``EncryptingClient`` reads and writes
/// the log.
struct PartitionKeys {
    var sessions = SessionKeys()
    var stock = KeyStock()
    var held = HeldStreams()

    /// Assigns a key of the stock to a new session. Returns `nil` if the stock is empty.
    mutating func assignKey(to session: Identifier) -> DataKey? {
        guard let key = stock.keys.popFirst() else { return nil }
        sessions.assign(key.id, to: session, isBounded: false)
        return key
    }
}

/// The keys for new sessions of one partition. A key enters the stock once `intents.keys` has acknowledged it.
struct KeyStock {
    /// The time for which new sessions wait for keys, in milliseconds.
    static let patience: Int64 = 5_000
    /// The time after a refused key in which no key is written, in milliseconds.
    static let refusalDelay: Int64 = 1_000

    var keys = Deque<DataKey>()
    /// The number of written keys without an acknowledgement.
    var unacknowledged = 0
    /// The wanted number of keys. It grows if the stock is empty although keys are on their way.
    private var target = 64
    /// The time at which a key was needed and the stock was found empty; `nil` if the last need was met.
    private var emptySince: Int64?
    private var refusedUntil = Int64.min

    /// Returns the number of keys to write now. Keys are written if less than half of the wanted number is left.
    func shortage(at now: Int64) -> Int {
        let coming = keys.count + unacknowledged
        return coming < target / 2 && now >= refusedUntil ? target - coming : 0
    }

    /// Applies an acknowledgement or, with the time of its arrival, a refusal.
    ///
    /// - Parameter key: The key, if it is for a new session.
    mutating func acknowledge(_ key: DataKey?, refusedAt refusal: Int64? = nil) {
        // The key may have been written before the partition was revoked and assigned again.
        unacknowledged = max(0, unacknowledged - 1)
        if let refusal {
            refusedUntil = refusal + Self.refusalDelay
        } else if let key {
            keys.append(key)
        }
    }

    /// Returns whether a new session gets a key now, has to wait, or has waited too long.
    mutating func checkAvailability(at now: Int64) -> SessionKeyStock {
        guard keys.isEmpty else {
            emptySince = nil
            return .ready
        }
        if emptySince == nil, unacknowledged > 0 { target = min(target * 2, 1_024) }
        // The clock may have been set back.
        let since = min(emptySince ?? now, now)
        emptySince = since
        return now - since < Self.patience ? .pending : .missing
    }
}
