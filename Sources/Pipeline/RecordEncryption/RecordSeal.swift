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

    /// How the header begins: AES-256 in Galois/Counter Mode, by its name in RFC 7518, and which form of key follows.
    private static let sharedKey = Bytes("A256GCM key=".utf8), ownKey = Bytes("A256GCM wrapped=".utf8)
    /// The id of a key that is in its record's header.
    package static let ownID = "own"

    /// `nil` if the record is not encrypted, or not in a form that is known here.
    package init?(_ record: ConsumedRecord) {
        guard let bytes = record.header(EncryptedValue.header) else { return nil }
        if bytes.starts(with: Self.sharedKey) {
            self = .shared(id: String(decoding: bytes.dropFirst(Self.sharedKey.count), as: UTF8.self))
        } else if bytes.starts(with: Self.ownKey) {
            self = .own(wrapped: String(decoding: bytes.dropFirst(Self.ownKey.count), as: UTF8.self))
        } else {
            return nil
        }
    }

    var header: RecordHeader {
        switch self {
        case .shared(let id): RecordHeader(EncryptedValue.header, Self.sharedKey + Bytes(id.utf8))
        case .own(let wrapped): RecordHeader(EncryptedValue.header, Self.ownKey + Bytes(wrapped.utf8))
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
        guard let value,
            let sealed = AESGCM.seal(
                value, key: key.bytes, context: RecordSeal.context(key: self.key, headers: headers))
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
        guard let value,
            let plain = AESGCM.open(value, key: key.bytes, context: RecordSeal.context(key: self.key, headers: headers))
        else {
            return nil
        }
        var record = self
        record.value = plain
        record.headers.removeAll { $0.name == EncryptedValue.header }
        return record
    }
}
