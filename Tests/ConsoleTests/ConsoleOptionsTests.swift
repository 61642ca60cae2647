import ArgumentParser
import Testing

@testable import Console

@Suite("The console's options")
struct ConsoleOptionsTests {
    private static let tokens = ["--jwt-issuer", "https://idp.example", "--jwt-audience", "intents", "--jwt-keys", "keys.json"]

    @Test(
        "an address that other machines reach needs tokens, or to be told that none are wanted",
        arguments: [
            ([], true), (["--listen", "0.0.0.0:8233"], false), (["--listen", "192.0.2.1:8233"], false),
            (["--listen", "0.0.0.0:8233", "--without-tokens"], true), (["--listen", "0.0.0.0:8233"] + tokens, true),
            (["--listen", "[::1]:8233"], true), (["--without-tokens"] + tokens, false), (Array(tokens.prefix(2)), false),
            (["--listen", "8233"], false), (tokens + ["--jwt-algorithms", "none"], false),
        ])
    func addresses(options: [String], isValid: Bool) {
        let parsed = try? ConsoleProcess.parse(["-b", "localhost:9092"] + options)
        #expect((parsed != nil) == isValid)
    }
}
