import AsyncHTTPClient
import Foundation
import NIOSSL

/// Runs programs of this machine.
enum Command {
    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    /// A Python interpreter with these modules: the one of deploy/setup.sh, or `python3`; `nil` if there is none.
    static func python(with modules: String) -> String? {
        [root.appending(path: ".build/python/bin/python3").path, "python3"].first {
            (try? run([$0, "-c", "import \(modules)"]))?.status == 0
        }
    }
}

/// A file that is removed with its value.
final class TemporaryFile {
    let path = FileManager.default.temporaryDirectory.appending(path: "file-\(UUID().uuidString)").path

    init(_ text: String) throws { try write(text) }
    deinit { remove() }

    /// Replaces the file by another one of the same name, as a mounted secret is replaced.
    func write(_ text: String) throws { try Data(text.utf8).write(to: URL(filePath: path), options: .atomic) }

    func remove() { try? FileManager.default.removeItem(atPath: path) }
}

/// A self-signed certificate for `localhost`, made by the program openssl.
struct TestCertificate {
    let certificate: String
    let key: String

    /// The shared certificate; `nil` if there is no openssl.
    static let made = try? TestCertificate()

    init() throws {
        let options =
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout /dev/stdout -out /dev/stdout "
            + "-days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost"
        let text = try Command.run(["openssl"] + options.split(separator: " ").map(String.init)).output
        func block(_ name: String) throws -> String {
            guard let begin = text.range(of: "-----BEGIN \(name)-----"),
                let end = text.range(of: "-----END \(name)-----")
            else { throw CocoaError(.fileReadCorruptFile) }
            return String(text[begin.lowerBound..<end.upperBound]) + "\n"
        }
        certificate = try block("CERTIFICATE")
        key = try block("PRIVATE KEY")
    }

    func serverContext() throws -> NIOSSLContext {
        let certificate = try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)
        let key = try NIOSSLPrivateKey(bytes: Array(key.utf8), format: .pem)
        return try NIOSSLContext(
            configuration: .makeServerConfiguration(
                certificateChain: [.certificate(certificate)], privateKey: .privateKey(key)))
    }

    /// Calls `body` with a client that trusts only this certificate.
    func client<Result: Sendable>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
        var settings = HTTPClient.Configuration()
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(certificate.utf8), format: .pem)])
        settings.tlsConfiguration = tls
        return try await HTTPClient.withHTTPClient(configuration: settings, body)
    }
}
