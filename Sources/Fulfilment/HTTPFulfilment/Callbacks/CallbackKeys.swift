import MessageAuthentication

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The keys of callback URLs: the first one seals new URLs, all of them open URLs. All handler workers need the same.
///
/// To replace a key, add the new one as the second everywhere, then make it the first everywhere, and remove the old one when the last URL of its time
/// has expired. So each process can open the URLs of each other one at any time.
public final class CallbackKeys: Sendable {
    /// The minimum length of a key in bytes.
    public static let minimumLength = 16

    private let derived: @Sendable () -> [[UInt8]]

    /// - Throws: ``CallbackSettingError`` if there is no key or one is too short.
    public init(_ keys: [[UInt8]]) throws(CallbackSettingError) {
        let keys = try Self.derive(keys)
        derived = { keys }
    }

    /// Keys in a file of text, one on each line. The file is read again when it changes. If it can't be used then, the keys stay as they were.
    ///
    /// - Parameter onProblem: Is told once of each such change.
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

    /// The keys for ``AESGCM``, the one that seals first; never empty.
    var all: [[UInt8]] { derived() }

    /// Keys may be of any length, those of the cipher may not. The name keeps a secret that is used elsewhere too from being the same key there.
    private static func derive(_ keys: [[UInt8]]) throws(CallbackSettingError) -> [[UInt8]] {
        guard !keys.isEmpty, keys.allSatisfy({ $0.count >= minimumLength }) else {
            throw CallbackSettingError(
                "each key must have at least \(minimumLength) bytes, and there must be one; several are on separate lines")
        }
        return keys.map { SHA256.authenticationCode(for: Array("intents-callback-2".utf8), key: $0) }
    }
}
