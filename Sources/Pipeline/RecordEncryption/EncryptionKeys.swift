import IntentModel
import MessageAuthentication
import RecordLog

/// The keys of `--encryption-key-file`. The first key wraps the keys of sessions, and every key unwraps them.
///
/// To replace a key, add the new key as the second everywhere and restart, then make it the first everywhere. Remove
/// the old key when no record needs it: after the retention of `intents.keys` and of the other topics.
public struct EncryptionKeys: Sendable {
    private let keys: [(id: String, bytes: [UInt8])]

    /// - Parameter text: One key on each line, each of 64 hexadecimal digits, as `openssl rand -hex 32` prints them.
    /// - Throws: ``EncryptionKeyError`` if there is no key, or a line is not a key.
    public init(parsing text: String) throws(EncryptionKeyError) {
        var keys: [(id: String, bytes: [UInt8])] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.allSatisfy(\.isWhitespace) { continue }
            guard let bytes = Hexadecimal.decode(line.lowercased()), bytes.count == AESGCM.keyByteCount else {
                throw EncryptionKeyError(
                    description:
                        "line \(number + 1) is no key: each line has 64 hexadecimal digits, as 'openssl rand -hex 32' prints them"
                )
            }
            // An id that reveals nothing about the key.
            let id = Hexadecimal.encode(
                SHA256.authenticationCode(for: Array("intents-encryption-key".utf8), key: bytes).prefix(4))
            keys.append((id, bytes))
        }
        guard !keys.isEmpty else {
            throw EncryptionKeyError(description: "there is no key in it: 'openssl rand -hex 32' makes one")
        }
        self.keys = keys
    }

    /// Returns a key in the form that may be written to the log.
    ///
    /// - Throws: ``RecordLog/LogError/Code/other``, fatal, if OpenSSL fails: no one could read the records of the key.
    func wrap(_ key: DataKey) throws(LogError) -> String {
        guard let sealed = AESGCM.seal(key.bytes, key: keys[0].bytes, context: Array(key.id.utf8)) else {
            throw LogError(.other, "a key could not be encrypted", disposition: .fatal)
        }
        return "\(keys[0].id).\(Hexadecimal.encode(sealed))"
    }

    /// - Returns: `nil` if no key of the file has wrapped the text, or the text has the key of another id.
    package func unwrap(_ text: String, id: String) -> DataKey? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let sealed = Hexadecimal.decode(String(parts[1])) else { return nil }
        for key in keys where key.id == parts[0] {  // rule: olderKeysUnwrap
            guard let bytes = AESGCM.open(sealed, key: key.bytes, context: Array(id.utf8)),
                bytes.count == AESGCM.keyByteCount
            else {
                continue
            }
            return DataKey(id: id, bytes: bytes)
        }
        return nil
    }
}

/// The reason for which a key file can't be used.
public struct EncryptionKeyError: Error, Sendable, CustomStringConvertible {
    public let description: String
}

/// A key that encrypts the records of one session, or one record.
package struct DataKey: Sendable {
    /// The name of the key in the log: 128 random bits.
    let id: String
    let bytes: [UInt8]
}

extension DataKey {
    /// Makes a new key.
    init(id: String = Hexadecimal.encode(random(16))) { self.init(id: id, bytes: Self.random(AESGCM.keyByteCount)) }

    /// From the system's cryptographically secure generator.
    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
