import ArgumentParser
import Conversation
import Foundation
package import IntentEvents
package import Logging
import RecordEncryption
package import RecordLog

/// What the clients of a process encrypt with, and decrypt.
package struct ClientEncryption: Sendable {
    private let topics: Topics
    private let keys: EncryptionKeys

    /// - Parameters:
    ///   - file: The file of keys, as ``EncryptionKeys/init(parsing:)`` reads them. It is read once.
    ///   - logger: Warns if others can read the file; standard error if `nil`.
    /// - Throws: A `ValidationError` that names the file and the problem.
    package init(file: String, topics: Topics, logger: Logger?) throws {
        self.topics = topics
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.readToEnd() ?? Data(),
            let text = String(validating: data, as: UTF8.self)
        else { throw ValidationError("The file '\(file)' of encryption keys is not readable text.") }
        do { keys = try EncryptionKeys(parsing: text) } catch { throw ValidationError("The file '\(file)' of encryption keys: \(error).") }
        guard PropertiesFile.isOpenToOthers(handle) else { return }
        let warning = "other users can read '\(file)', which has encryption keys: run 'chmod 600 \(file)'"
        if let logger { logger.warning("\(warning)") } else { complain(warning) }
    }

    fileprivate func client(_ inner: any LogClient, makesKeys: Bool) -> any LogClient {
        EncryptingClient(inner, topics: topics, keys: keys, makesKeys: makesKeys) { Instant.now.milliseconds }
    }
}

extension ClientEncryption? {
    /// The client that encrypts; the same client if nothing is encrypted.
    ///
    /// - Parameter makesKeys: Whether it is a coordinator's.
    package func client(_ inner: any LogClient, makesKeys: Bool = false) -> any LogClient {
        self?.client(inner, makesKeys: makesKeys) ?? inner
    }
}
