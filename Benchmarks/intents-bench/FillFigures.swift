import Foundation
import IntentModel

/// What it took to give each session an intent before the measurement. The coordinators keep such sessions until they are idle for long enough.
struct FillFigures: Sendable {
    var sessions: Int
    var duration: Duration
    /// By how many bytes the coordinators' resident memory has grown.
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
            "sessions": .number(sessions), "seconds": .number(duration / .seconds(1)), "bytesPerSession": .number(perSession),
        ])
    }
}
