import IntentEvents
import RecordEncryption
import RecordLog

private let keys = try? EncryptionKeys(parsing: String(repeating: "0a", count: 32))

/// Decodes files of keys, records of `intents.keys`, and headers of encrypted records. Without the key, no input may
/// contain a wrapped key that the key unwraps.
func decodeEncryption(_ input: [UInt8]) {
    _ = try? EncryptionKeys(parsing: String(decoding: input, as: UTF8.self))
    for record in FuzzedRecords(input, topic: topics.outcomes) {
        if let wrapped = KeyRecord.wrapped(in: record) {
            require(keys?.unwrap(wrapped, id: "id") == nil, "a key is wrapped only with a key of the file")
        }
        switch RecordSeal(record) {
        case .own(let wrapped)?:
            require(keys?.unwrap(wrapped, id: "own") == nil, "a key is wrapped only with a key of the file")
        case .shared(let id)?: require(KeyRecord.id(of: record) == id, "the id is that of the header")
        case nil: require(KeyRecord.id(of: record) == nil, "what is not encrypted has no key")
        }
    }
}
