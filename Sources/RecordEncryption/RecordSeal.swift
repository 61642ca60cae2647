import IntentEvents
import IntentModel
import MessageAuthentication
package import RecordLog

/// What the header of an encrypted record says of its key.
package enum RecordSeal {
    /// The key of this id, in `intents.keys`.
    case shared(id: String)
    /// A key of its own, wrapped in the header.
    case own(wrapped: String)

    /// AES-256 in Galois/Counter Mode, by its name in RFC 7518.
    private static let algorithm = "A256GCM"
    /// The id of a key that is in its record's header.
    package static let ownID = "own"

    /// `nil` if the record is not encrypted, or not in a form that is known here.
    package init?(_ record: ConsumedRecord) {
        guard let bytes = record.header(EncryptedValue.header) else { return nil }
        let parts = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        guard parts.count == 2, parts[0] == Self.algorithm else { return nil }
        if parts[1].hasPrefix("key=") {
            self = .shared(id: String(parts[1].dropFirst(4)))
        } else if parts[1].hasPrefix("wrapped=") {
            self = .own(wrapped: String(parts[1].dropFirst(8)))
        } else {
            return nil
        }
    }

    var header: RecordHeader {
        switch self {
        case .shared(let id): RecordHeader(EncryptedValue.header, "\(Self.algorithm) key=\(id)")
        case .own(let wrapped): RecordHeader(EncryptedValue.header, "\(Self.algorithm) wrapped=\(wrapped)")
        }
    }

    /// What can't be changed without notice: the record's key, and all headers of the names that say what it is.
    static func context(key: Bytes?, headers: [RecordHeader]) -> [UInt8] {
        var context: [UInt8] = []
        func append(_ part: some Collection<UInt8>) {
            withUnsafeBytes(of: UInt32(part.count).bigEndian) { context.append(contentsOf: $0) }
            context.append(contentsOf: part)
        }
        append(key ?? [])
        for header in headers where bound.contains(header.name) {
            append(header.name.utf8)
            append(header.value ?? [])
        }
        return context
    }

    private static let bound = ["ce_type", "ce_id", "intents-journal"]
}

extension Record {
    /// The same record with its value encrypted.
    ///
    /// - Throws: ``LogError/Code/other``, fatal, if OpenSSL refuses: nothing may be written in plain then.
    func sealed(with key: DataKey, _ seal: RecordSeal) throws(LogError) -> Record {
        guard let value, let sealed = AESGCM.seal(value, key: key.bytes, context: RecordSeal.context(key: self.key, headers: headers))
        else {
            throw LogError(.other, "a record for \(topic) could not be encrypted", disposition: .fatal)
        }
        var record = self
        record.value = sealed
        record.headers.append(seal.header)
        return record
    }
}

extension ConsumedRecord {
    /// The same record with its value decrypted; `nil` if it was encrypted with another key, or has been changed.
    package func opened(with key: DataKey) -> ConsumedRecord? {
        guard let value, let plain = AESGCM.open(value, key: key.bytes, context: RecordSeal.context(key: self.key, headers: headers)) else {
            return nil
        }
        var record = self
        record.value = plain
        record.headers.removeAll { $0.name == EncryptedValue.header }
        return record
    }
}
