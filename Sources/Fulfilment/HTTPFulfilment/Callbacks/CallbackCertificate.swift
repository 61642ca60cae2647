import NIOSSL

/// The certificate and the private key of a callback server. Both files are read again when one of them changes. Open
/// connections keep the certificate that they began with.
public final class CallbackCertificate: Sendable {
    private let files: FileValue<NIOSSLContext>

    /// - Parameters:
    ///   - certificate: A file of PEM certificates: the server's own, followed by the chain to its authority.
    ///   - key: A file with the private key of the first certificate, in PEM, without a password.
    ///   - onProblem: Called for each change after which the files can't be used. The previous certificate then stays
    ///     in use.
    /// - Throws: ``CallbackSettingError`` if the files can't be used.
    public init(certificate: String, key: String, onProblem: @escaping @Sendable (any Error) -> Void) throws {
        files = try FileValue([certificate, key], onProblem: onProblem) { try Self.context(certificate, key) }
    }

    /// The TLS context for the next connection.
    var context: NIOSSLContext { files.current }

    private static func context(_ certificate: String, _ key: String) throws(CallbackSettingError) -> NIOSSLContext {
        guard let chain = try? NIOSSLCertificate.fromPEMFile(certificate), !chain.isEmpty else {
            throw CallbackSettingError("the file '\(certificate)' has no readable PEM certificates")
        }
        guard let privateKey = try? NIOSSLPrivateKey(file: key, format: .pem) else {
            throw CallbackSettingError("the file '\(key)' has no readable private key in PEM")
        }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(privateKey))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do { return try NIOSSLContext(configuration: configuration) } catch {
            throw CallbackSettingError(
                "the private key in '\(key)' is not that of the first certificate in '\(certificate)' (\(error))")
        }
    }
}
