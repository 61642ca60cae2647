package import Conversation
import Foundation

extension Instant {
    /// The current time of this machine.
    package static var now: Instant { Instant(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)) }
}
