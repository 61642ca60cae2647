import RecordLog

/// A value that a process without its key can't read (`--encryption-key-file`).
public enum EncryptedValue {
    /// The header that says how it is encrypted, and with which key.
    public static let header = "intents-encryption"

    /// Why the record can't be read; `nil` if it is not encrypted.
    static func problem(_ record: ConsumedRecord) -> EventError? {
        guard record.header(header) != nil else { return nil }
        return .unreadable(
            "its value is encrypted, and this process has no key for it: start it with the --encryption-key-file that the others have; or the key was "
                + "destroyed with its session", header)
    }
}
