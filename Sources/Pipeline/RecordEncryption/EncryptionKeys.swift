import IntentModel
import MessageAuthentication
import RecordLog

/// The keys of `--encryption-key-file`. They wrap the keys of sessions: the first one wraps, all of them unwrap.
///
/// To replace a key, add the new one as the second everywhere and restart, then make it the first everywhere. The old one may go when what it has wrapped is gone:
/// after the retention of `intents.keys` and of the other topics.
public struct EncryptionKeys: Sendable {
    private let keys: [(id: String, bytes: [UInt8])]

    /// - Parameter text: One key on each line, each of 64 hexadecimal digits, as `openssl rand -hex 32` prints them.
    /// - Throws: ``EncryptionKeyError`` if there is no key, or a line is none.
    public init(parsing text: String) throws(EncryptionKeyError) {
        var keys: [(id: String, bytes: [UInt8])] = []
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.allSatisfy(\.isWhitespace) { continue }
            guard let bytes = Hexadecimal.decode(line.lowercased()), bytes.count == AESGCM.keyByteCount else {
                throw EncryptionKeyError(
                    "line \(number + 1) is no key: each line has 64 hexadecimal digits, as 'openssl rand -hex 32' prints them"
                )
            }
            // A name that tells nothing of the key.
            let id = Hexadecimal.encode(
                SHA256.authenticationCode(for: Array("intents-encryption-key".utf8), key: bytes).prefix(4))
            keys.append((id, bytes))
        }
        guard !keys.isEmpty else { throw EncryptionKeyError("there is no key in it: 'openssl rand -hex 32' makes one") }
        self.keys = keys
    }

    /// A key as it may be written to the log.
    ///
    /// - Throws: ``RecordLog/LogError/Code/other``, fatal, if OpenSSL refuses: no one could read what is encrypted with the key.
    func wrap(_ key: DataKey) throws(LogError) -> String {
        guard let sealed = AESGCM.seal(key.bytes, key: keys[0].bytes, context: Array(key.id.utf8)) else {
            throw LogError(.other, "a key could not be encrypted", disposition: .fatal)
        }
        return "\(keys[0].id).\(Hexadecimal.encode(sealed))"
    }

    /// - Returns: `nil` if none of the keys has wrapped it, or it is the key of another id.
    package func unwrap(_ text: String, id: String) -> DataKey? {
        let parts = text.split(separator: ".", maxSplits: 1)
        guard parts.count == 2, let sealed = Hexadecimal.decode(String(parts[1])) else { return nil }
        for key in Rule.olderKeysUnwrap.holds ? keys[...] : keys.prefix(1) where key.id == parts[0] {
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

/// Why a file of keys can't be used.
public struct EncryptionKeyError: Error, Sendable, CustomStringConvertible {
    public let description: String

    init(_ description: String) { self.description = description }
}

/// A key that encrypts the values of one session, or of one record.
package struct DataKey: Sendable {
    /// Its name in the log: 128 random bits.
    let id: String
    let bytes: [UInt8]

    init(id: String, bytes: [UInt8]) {
        self.id = id
        self.bytes = bytes
    }

    /// A new one.
    init(id: String = Hexadecimal.encode(random(16))) { self.init(id: id, bytes: Self.random(AESGCM.keyByteCount)) }

    /// From the system's cryptographically secure generator.
    private static func random(_ count: Int) -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
