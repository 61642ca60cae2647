import Foundation
import IntentModel

/// Prints a message to standard error, separate from the data on standard output.
package func complain(_ text: String) { FileHandle.standardError.write(Data("\(text.forTerminal)\n".utf8)) }
