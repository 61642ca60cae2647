import Foundation

/// Says something to the person at the terminal, beside the data.
package func complain(_ text: String) { FileHandle.standardError.write(Data("\(text)\n".utf8)) }
