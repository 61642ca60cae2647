import ArgumentParser
import Conversation
import Foundation
package import IntentEvents
package import Logging
import RecordEncryption
package import RecordLog

/// The keys with which the clients of a process encrypt and decrypt.
package struct ClientEncryption: Sendable {
    private let topics: Topics
    private let keys: EncryptionKeys

    /// - Parameters:
    ///   - file: The key file, in the format of ``EncryptionKeys/init(parsing:)``. It is read once.
    ///   - logger: The logger of the warning that other users can read the file; `nil` prints the warning to standard
    ///     error.
    /// - Throws: A `ValidationError` that names the file and the problem.
    package init(file: String, topics: Topics, logger: Logger?) throws {
        self.topics = topics
        guard let handle = FileHandle(forReadingAtPath: file), let data = try? handle.readToEnd() ?? Data(),
            let text = String(validating: data, as: UTF8.self)
        else { throw ValidationError("The file '\(file)' of encryption keys is not readable text.") }
        do { keys = try EncryptionKeys(parsing: text) } catch {
            throw ValidationError("The file '\(file)' of encryption keys: \(error).")
        }
        guard PropertiesFile.isOpenToOthers(handle) else { return }
        let warning = "other users can read '\(file)', which has encryption keys: run 'chmod 600 \(file)'"
        if let logger { logger.warning("\(warning)") } else { complain(warning) }
    }

    fileprivate func client(_ inner: any LogClient, makesKeys: Bool) -> any LogClient {
        EncryptingClient(inner, topics: topics, keys: keys, makesKeys: makesKeys) { Instant.now.milliseconds }
    }
}

extension ClientEncryption? {
    /// Returns the encrypting client; the same client without encryption.
    ///
    /// - Parameter makesKeys: `true` for a coordinator's client.
    package func client(_ inner: any LogClient, makesKeys: Bool = false) -> any LogClient {
        self?.client(inner, makesKeys: makesKeys) ?? inner
    }
}
