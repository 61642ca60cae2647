import AsyncHTTPClient
import Foundation
import NIOSSL

/// A self-signed certificate for `localhost`, made by the program openssl.
struct TestCertificate {
    let certificate: String
    let key: String

    /// The shared certificate; `nil` if there is no openssl.
    static let made = try? TestCertificate()

    init() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout",
            "/dev/stdout",
            "-out",
            "/dev/stdout", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        func block(_ name: String) throws -> String {
            guard let begin = text.range(of: "-----BEGIN \(name)-----"),
                let end = text.range(of: "-----END \(name)-----")
            else {
                throw CocoaError(.fileReadCorruptFile)
            }
            return String(text[begin.lowerBound..<end.upperBound]) + "\n"
        }
        certificate = try block("CERTIFICATE")
        key = try block("PRIVATE KEY")
    }

    /// Calls `body` with a client that trusts only this certificate.
    func client<Result: Sendable>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
        var settings = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)])
        settings.tlsConfiguration = tls
        let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: settings)
        do {
            let result = try await body(client)
            try await client.shutdown()
            return result
        } catch {
            try? await client.shutdown()
            throw error
        }
    }
}
