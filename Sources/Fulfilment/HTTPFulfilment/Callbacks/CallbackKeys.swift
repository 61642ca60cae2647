import MessageAuthentication

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The keys of callback URLs. The first key seals new URLs, and every key opens URLs. All handler workers need the same
/// keys.
///
/// To replace a key, add the new key as the second one everywhere, then make it the first one everywhere. Remove the
/// old key when the last URL that it sealed has expired. Each process can then open the URLs of every other process at
/// any time.
public final class CallbackKeys: Sendable {
    /// The minimum length of a key in bytes.
    public static let minimumLength = 16

    private let derived: @Sendable () -> [[UInt8]]

    /// - Throws: ``CallbackSettingError`` if there is no key or one is too short.
    public init(_ keys: [[UInt8]]) throws(CallbackSettingError) {
        let keys = try Self.derive(keys)
        derived = { keys }
    }

    /// Reads keys from a text file, one on each line. The file is read again when it changes. If the changed file can't
    /// be used, the previous keys stay in use.
    ///
    /// - Parameter onProblem: Called once for each change after which the file can't be used.
    /// - Throws: ``CallbackSettingError`` if the file can't be read, has no key, or one is too short.
    public init(file: String, onProblem: @escaping @Sendable (any Error) -> Void) throws {
        let keys = try FileValue([file], onProblem: onProblem) {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw CallbackSettingError("the file '\(file)' is not readable text")
            }
            do throws(CallbackSettingError) {
                return try Self.derive(text.split(whereSeparator: \.isNewline).map { Array($0.utf8) })
            } catch {
                throw CallbackSettingError("in the file '\(file)', \(error.message)")
            }
        }
        derived = { keys.current }
    }

    /// The keys for ``AESGCM``, the key that seals first; never empty.
    var all: [[UInt8]] { derived() }

    /// Derives keys of the cipher's length from keys of any length. The label makes the derived keys differ from those
    /// of another use of the same secret.
    private static func derive(_ keys: [[UInt8]]) throws(CallbackSettingError) -> [[UInt8]] {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count >= minimumLength }) else {
            throw CallbackSettingError(
                "each key must have at least \(minimumLength) bytes, and there must be one; several are on separate lines"
            )
        }
        return keys.map { SHA256.authenticationCode(for: Array("intents-callback-2".utf8), key: $0) }
    }
}
