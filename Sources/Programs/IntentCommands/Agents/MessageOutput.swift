import Foundation
import IntentModel
import Synchronization

/// Writes messages to standard output, one on each line. May be used by any thread.
final class MessageOutput: Sendable {
    private let isOpen = Mutex(true)

    func write(_ message: JSON) {
        // JSON that was forwarded unchanged may have line ends between its members.
        let bytes = message.bytes.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
        isOpen.withLock { isOpen in
            guard isOpen else { return }
            do { try FileHandle.standardOutput.write(contentsOf: Data(bytes + [UInt8(ascii: "\n")])) } catch {
                isOpen = false
            }
        }
    }
}
