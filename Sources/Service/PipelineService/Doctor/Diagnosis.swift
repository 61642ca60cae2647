package import IntentModel

/// The result of one check of `intents doctor`.
package struct Diagnosis: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case ok
        /// The pipeline works, but something needs attention.
        case warning
        /// The pipeline does not work, or not completely.
        case failed
        /// The check was not possible or not applicable.
        case skipped
    }

    /// The name of the check, which is the same in every run so that programs can evaluate the output.
    package var check: String
    package var status: Status
    package var message: String
    /// The next action; `nil` if no action is needed.
    package var advice: String?

    package init(_ check: String, _ status: Status, _ message: String, advice: String? = nil) {
        self.check = check
        self.status = status
        self.message = message
        self.advice = advice
    }

    /// The diagnosis in one line, or in two with advice. The text can't move a terminal's cursor.
    package var text: String {
        let line = "\(status.rawValue)\t\(check)\t\(message)".split(separator: "\t", omittingEmptySubsequences: false)
            .map { String($0).printable }.joined(separator: "\t")
        return advice.map { "\(line)\n\t\t→ \($0.printable)" } ?? line
    }

    package var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("check", check)
            writer.member("status", status.rawValue)
            writer.member("message", message)
            writer.member("advice", ifPresent: advice)
            writer.endObject()
        }
    }
}
