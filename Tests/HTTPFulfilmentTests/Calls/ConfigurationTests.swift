import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("The settings of a fulfilment")
struct ConfigurationTests {
    @Test(
        "a URL must be absolute, use HTTP, and have no user",
        arguments: [
            "", "rides.example.com", "ftp://a", "http://", "http://user:pw@a/", "http://a:0/", "http://a:99999/",
            "http://a b/",
            "http://a/ü",
            "http://a/\r\nX: y", "https://{intent}.example.com/", "http://[::1", "http://a..b/", "http:///x",
        ])
    func urls(_ url: String) {
        #expect(HTTPFulfilmentConfiguration(url: url).violation?.field == "url", "\(url)")
    }

    @Test("bounds are enforced, and errors name the setting")
    func bounds() {
        func field(_ change: (inout HTTPFulfilmentConfiguration) -> Void) -> String? {
            var configuration = HTTPFulfilmentConfiguration(url: "https://a.example")
            change(&configuration)
            return configuration.violation?.field
        }
        #expect(field { _ in } == nil)
        #expect(field { $0.timeout = .zero } == "timeout")
        #expect(field { $0.retries.maximumAttempts = 0 } == "retries.attempts")
        #expect(field { $0.maximumResponseBytes = 262_145 } == "maximumResponseBytes")
        #expect(field { $0.redirects = 6 } == "redirects")
        #expect(field { $0.secret = "" } == "secret")
        #expect(field { $0.headers = ["Host": "b"] } == "headers.Host")
        #expect(field { $0.headers = ["X-A": "b\r\nX-B: c"] } == "headers.X-A")
        #expect(field { $0.headers = ["X A": "b"] } == "headers.X A")
    }

    @Test("a forbidden host is refused before anything is sent, and the error explains what to do")
    func refusedHost() async throws {
        try await HTTPFulfilmentClient.withClient { client in
            let error = #expect(throws: HTTPFulfilmentError.self) {
                try HTTPIntentFulfilment(
                    HTTPFulfilmentConfiguration(url: "https://rides.example.com/x"), client: client)
            }
            #expect(error?.description.contains("add rides.example.com:443 to --fulfilment-hosts") == true)
        }
    }

    @Test("an unreadable CA file and an invalid proxy are named in the error")
    func clientSettings() throws {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.certificateAuthorities = "/nowhere.pem"
        #expect(throws: HTTPFulfilmentError.self) { try HTTPFulfilmentClient(settings) }
        let proxy = try HTTPFulfilmentProxy(url: "http://proxy:3128")
        #expect(proxy == HTTPFulfilmentProxy(host: "proxy", port: 3128))
        for url in ["https://proxy", "proxy:3128", "http://proxy/x"] {
            #expect(throws: HTTPFulfilmentError.self) { try HTTPFulfilmentProxy(url: url) }
        }
    }

    @Test(
        "a host may end with one dot, and has no empty part",
        arguments: ["a..", "a.b..", "127.0.0.1..", ".", "..", "a..b"])
    func dots(_ host: String) throws {
        #expect(try FulfilmentURL("http://a.b./x").host == "a.b")
        #expect(throws: FulfilmentURL.Problem.self) { try FulfilmentURL("http://\(host)/x") }
    }

    @Test(
        "a location is resolved against the URL that returned it",
        arguments: [
            ("/x", "http://a:1/x"), ("x", "http://a:1/p/x"), ("?q", "http://a:1/p/r?q"), ("//b/x", "http://b/x"),
            ("https://B:443/x#f", "https://b/x"),
            ("x:y", "http://a:1/p/x:y"),
        ])
    func locations(_ location: String, _ expected: String) throws {
        let base = try FulfilmentURL("http://a:1/p/r?s")
        let target = try base.redirected(to: location)
        #expect(target.text == expected)
    }
}
