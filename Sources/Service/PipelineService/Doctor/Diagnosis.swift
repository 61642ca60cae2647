package import IntentModel

/// What one check of `intents doctor` has found.
package struct Diagnosis: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable, CaseIterable {
        case ok
        /// The pipeline works. Something should be looked at.
        case warning
        /// The pipeline does not work, or not all of it.
        case failed
        /// It could not be asked, or nothing is to be asked.
        case skipped
    }

    /// The same in every run, for what evaluates the output.
    package var check: String
    package var status: Status
    package var message: String
    /// What to do next; `nil` if nothing has to be done.
    package var advice: String?

    package init(_ check: String, _ status: Status, _ message: String, advice: String? = nil) {
        self.check = check
        self.status = status
        self.message = message
        self.advice = advice
    }

    /// One line, or two with advice. It can't move a terminal's cursor.
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
