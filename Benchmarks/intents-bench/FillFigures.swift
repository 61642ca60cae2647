import Foundation
import IntentModel

/// The cost of carrying out one intent in each session before the measurement. The coordinators keep such sessions
/// until the sessions have been idle for long enough.
struct FillFigures: Sendable {
    var sessions: Int
    var duration: Duration
    /// The growth of the coordinators' resident memory, in bytes.
    var bytes: Double

    var perSession: Double { bytes / Double(max(sessions, 1)) }

    var text: String {
        """
        one intent in each of \(sessions) sessions, in \(String(format: "%.1f", duration / .seconds(1))) s
          memory            \(Int(perSession)) bytes a session in the coordinators
        """
    }

    var json: JSON {
        .object([
            "sessions": .number(sessions), "seconds": .number(duration / .seconds(1)),
            "bytesPerSession": .number(perSession),
        ])
    }
}
