import ArgumentParser
import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import Console

@Suite("The console's options") struct ConsoleOptionsTests {
    private static let tokens = [
        "--jwt-issuer", "https://idp.example", "--jwt-audience", "intents", "--jwt-keys", "keys.json",
    ]

    @Test(
        "an address that other machines reach needs tokens, or to be told that none are wanted",
        arguments: [
            ([], true), (["--listen", "0.0.0.0:8233"], false), (["--listen", "192.0.2.1:8233"], false),
            (["--listen", "0.0.0.0:8233", "--without-tokens"], true), (["--listen", "0.0.0.0:8233"] + tokens, true),
            (["--listen", "[::1]:8233"], true), (["--without-tokens"] + tokens, false),
            (Array(tokens.prefix(2)), false),
            (["--listen", "8233"], false), (tokens + ["--jwt-algorithms", "none"], false),
        ])
    func addresses(options: [String], isValid: Bool) {
        let parsed = try? ConsoleProcess.parse(["-b", "localhost:9092"] + options)
        #expect((parsed != nil) == isValid)
    }

    @Test(
        "requests name a host of this machine or the one that is listened on, and never an address that stands for all",
        arguments: [("0.0.0.0", false), ("::", false), ("192.0.2.1", true)])
    func hosts(host: String, isNamed: Bool) {
        #expect(
            ConsoleAddress(host: host, port: 8233).hosts == ["127.0.0.1", "localhost", "[::1]"]
                + (isNamed ? [host] : []))
    }

    /// The addresses of this machine itself, including an IPv6 address if the machine has one.
    private static let loopback =
        ["127.0.0.1", "localhost"]
        + ((try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.isEmpty == false ? ["::1"] : [])

    @Test(arguments: loopback)
    func `a free port is found for 0, and for a port that is taken`(host: String) async throws {
        let any = await ConsoleAddress(host: host, port: 0).orAny
        #expect(any.host == host && any.port > 0)
        let taken = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).bind(host: host, port: 0)
            .get()
        let port = try #require(taken.localAddress?.port)
        let other = await ConsoleAddress(host: host, port: port).orAny
        #expect(other.port > 0 && other.port != port)
        try await taken.close()
    }
}
