public import IntentModel
public import RecordLog

/// A record's key as the id of a session.
public enum SessionKey {
    /// 1 to 128 bytes of UTF-8 without control characters and marks of direction, not beginning with `$`.
    ///
    /// - Throws: ``EventError`` that says what a key has to be.
    public static func read(_ record: ConsumedRecord) throws(EventError) -> Identifier {
        guard let key = record.key else {
            throw EventError(
                .invalid, "the record has no key: the session's id is the key", field: "key", isDeadLetter: true)
        }
        // The ids of most sessions are plain ASCII.
        if EventBounds.session ~= key.count, key[0] != UInt8(ascii: "$"), key.allSatisfy({ 0x20..<0x7F ~= $0 }) {
            return Identifier(String(decoding: key, as: UTF8.self))
        }
        guard EventBounds.session ~= key.count, key[0] != UInt8(ascii: "$"),
            key.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }),
            let session = String(validating: key, as: UTF8.self), !session.hasControlCharacters
        else {
            throw EventError(
                .invalid,
                "a session's id is 1 to 128 bytes of UTF-8, without control characters, and does not begin with '$'",
                field: "key",
                isDeadLetter: true)
        }
        return Identifier(session)
    }

    /// The id of an event that came without one.
    public static func derivedID(_ record: ConsumedRecord) -> String {
        "\(record.topic)-\(record.partition)-\(record.offset)"
    }
}
