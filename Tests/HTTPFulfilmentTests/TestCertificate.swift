import Foundation

/// A self-signed certificate for `localhost`, made for this run by the program openssl.
struct TestCertificate {
    let certificate: String
    let key: String

    /// `nil` if there is no openssl.
    static let made: TestCertificate? = {
        let arguments = [
            "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "/dev/stdout", "-out",
            "/dev/stdout", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
        ]
        guard let answer = try? Python.run("openssl", arguments), answer.status == 0 else { return nil }
        func block(_ name: String) -> String? {
            guard let begin = answer.output.range(of: "-----BEGIN \(name)-----"), let end = answer.output.range(of: "-----END \(name)-----")
            else { return nil }
            return String(answer.output[begin.lowerBound..<end.upperBound]) + "\n"
        }
        guard let certificate = block("CERTIFICATE"), let key = block("PRIVATE KEY") else { return nil }
        return TestCertificate(certificate: certificate, key: key)
    }()
}
