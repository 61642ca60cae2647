import Foundation
import IntentModel

/// Prints a message to standard error, separate from the data on standard output. A closed terminal gets nothing.
package func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data("\(text.forTerminal)\n".utf8))
}
