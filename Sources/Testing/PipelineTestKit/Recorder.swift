import Synchronization

/// Records what code under test does, from any thread.
package final class Recorder<Entry: Sendable>: Sendable {
    private let entries = Mutex<[Entry]>([])

    package init() {}

    package func record(_ entry: Entry) { entries.withLock { $0.append(entry) } }

    /// The entries so far, in order.
    package var all: [Entry] { entries.withLock { $0 } }
}

extension Recorder<String> {
    /// Returns the number of entries that begin with a text.
    package func count(_ prefix: String) -> Int { all.count { $0.hasPrefix(prefix) } }
}
