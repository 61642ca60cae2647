import IntentEvents
import IntentModel
import MessageAuthentication
package import RecordLog

/// The key of an encrypted record, as the record's header names it.
package enum RecordSeal {
    /// The key with this id in `intents.keys`.
    case shared(id: String)
    /// The record's own key, wrapped in the header.
    case own(wrapped: String)

    /// The beginning of the header: AES-256 in Galois/Counter Mode, by its name in RFC 7518, and the form of the key.
    private static let sharedKey = Bytes("A256GCM key=".utf8), ownKey = Bytes("A256GCM wrapped=".utf8)
    /// The id of every key that is in its record's header.
    package static let ownID = "own"

    /// - Returns: `nil` if the record is not encrypted, or the form of the header is unknown.
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

    /// Returns the authenticated data: the record's key, and the headers that decide about its meaning.
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
    /// Returns the record with its value encrypted.
    ///
    /// - Throws: ``LogError/Code/other``, fatal, if OpenSSL fails: the record must not be written in plaintext.
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
    /// Returns the record with its value decrypted; `nil` if another key has encrypted it, or it was changed.
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
