import IntentModel
import Testing

@testable import HTTPFulfilment

@Suite("The hosts and addresses that may be called") struct AddressTests {
    private func allows(_ hosts: AllowedHosts, _ url: String) throws -> Bool {
        hosts.refusal(of: try FulfilmentURL(url)) == nil
    }

    private func allows(_ hosts: AllowedHosts, address: String, _ reach: Reach = .name) throws -> Bool {
        hosts.allows(address: try #require(IPAddress(address)), of: reach)
    }

    @Test func `by default only this machine can be called; with named hosts only those`() throws {
        let named = try AllowedHosts("Rides.example.com, 10.1.2.3:8080,[::1]:9")
        for (hosts, allowed, refused) in [
            (
                AllowedHosts.loopback, "http://localhost:1 http://127.9.9.9/ https://[::1]:8/ http://LOCALHOST/",
                "https://a.example https://127.1/ https://2130706433/ https://0x7f.0.0.1/ https://localhost.example/ "
                    + "https://169.254.169.254 https://[::]/ https://0.0.0.0/"
            ),
            (
                named,
                "https://rides.example.com/x https://rides.example.com.:81 https://10.1.2.3:8080 http://[::1]:9/",
                "https://10.1.2.3 http://localhost http://[::1]:10/ https://a.rides.example.com"
            ),
        ] {
            for url in allowed.split(separator: " ") { #expect(try allows(hosts, String(url)), "\(url)") }
            for url in refused.split(separator: " ") { #expect(try !allows(hosts, String(url)), "\(url)") }
        }
        for text in ["", "a,", "a:b", "http://a", "a/b", "a:0"] {
            #expect(throws: HTTPFulfilmentError.self, "\(text)") { try AllowedHosts(text) }
        }
        for text in [",", "10.0.0.0", "10.0.0.0/33", "a/8", "10.0.0.0/-1", "10.0.0.0/8,", "fd00::/129", "10.0/8"] {
            #expect(throws: HTTPFulfilmentError.self, "\(text)") {
                try AllowedHosts("a", networks: text, allowsPlainHTTP: false)
            }
        }
    }

    @Test func `a URL with a too long template or name is refused before it is filled in`() {
        let long = FulfilmentURL.Problem(message: "is longer than 2,048 characters")
        let template = "https://a.example/" + String(repeating: "{intent}", count: 300)
        #expect(throws: long) { try FulfilmentURL(filling: template, intent: "A", phase: .handle) }
        let name = String(repeating: "A", count: 2_049)
        #expect(throws: long) { try FulfilmentURL(filling: "https://a.example/{intent}", intent: name, phase: .handle) }
    }

    @Test func `http is refused beyond this machine, unless it is allowed by name`() throws {
        let hosts = "rides.example.com,10.1.2.3,127.0.0.1"
        for url in ["http://rides.example.com/", "http://10.1.2.3/"] {
            let refusal = try AllowedHosts(hosts).refusal(of: FulfilmentURL(url))
            #expect(refusal?.contains("--fulfilment-plain-http") == true)
            #expect(try allows(AllowedHosts(hosts, networks: "", allowsPlainHTTP: true), url))
        }
        #expect(try allows(AllowedHosts(hosts), "http://127.0.0.1/"))
        #expect(try !allows(AllowedHosts(hosts, networks: "", allowsPlainHTTP: true), "http://other.example/"))
    }

    @Test(arguments: [
        "127.0.0.1", "127.255.255.255", "::1", "0.0.0.0", "0.1.2.3", "::", "10.0.0.1", "172.16.0.1", "172.31.255.255",
        "192.168.1.1", "169.254.169.254", "169.254.1.2", "fe80::1", "fe80::1%eth0", "febf::", "fec0::1", "fc00::1",
        "fd00:ec2::254", "fd12::1", "100.64.0.1", "100.127.255.255", "224.0.0.1", "239.1.1.1", "255.255.255.255",
        "240.0.0.1", "ff02::1", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.19.255.255", "::ffff:10.0.0.1",
        "::ffff:169.254.169.254", "::ffff:7f00:1", "::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe",
        "64:ff9b::127.0.0.1", "64:ff9b:1::1", "2002:a00:1::", "2001::1", "2001:db8::1", "100::1", "4000::1",
    ])
    func `a name leads to public addresses only`(_ address: String) throws {
        #expect(try !allows(AllowedHosts("rides.example.com,localhost"), address: address))
    }

    @Test(arguments: [
        "93.184.216.34", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1", "11.0.0.1", "223.255.255.255",
        "2606:2800:220:1::1", "2a00::1", "64:ff9b::93.184.216.34", "::ffff:93.184.216.34", "198.20.0.1",
    ])
    func `public addresses are allowed, also behind NAT64`(_ address: String) throws {
        #expect(try allows(AllowedHosts("rides.example.com"), address: address))
    }

    @Test func `a name leads to a private network if that is listed, but never to the metadata of a cloud`() throws {
        let hosts = try AllowedHosts(
            "rides.example.com", networks: "10.1.0.0/16, fd00::/8,0.0.0.0/0,::/0", allowsPlainHTTP: false)
        for address in ["10.1.2.3", "64:ff9b::10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "127.0.0.1"] {
            #expect(try allows(hosts, address: address), "\(address)")
        }
        for address in [
            "169.254.169.254", "fd00:ec2::254", "fd20:ce::254", "fe80::1", "100.100.100.200", "192.0.0.192",
            "::ffff:169.254.169.254", "64:ff9b::169.254.169.254",
        ] {
            #expect(try !allows(hosts, address: address), "\(address)")
            // An operator may allow the address by naming it.
            #expect(try allows(hosts, address: address, .address))
        }
        let narrow = try AllowedHosts("rides.example.com", networks: "10.1.0.0/17", allowsPlainHTTP: false)
        #expect(try allows(narrow, address: "10.1.127.255") && !allows(narrow, address: "10.1.128.0"))
    }

    @Test func `localhost leads to this machine only`() throws {
        #expect(["localhost", "127.0.0.2", "::1"].map { Reach($0) } == [.thisMachine, .thisMachine, .thisMachine])
        #expect(["10.0.0.1", "127.1", "a.localhost"].map { Reach($0) } == [.address, .name, .name])
        for address in ["127.0.0.1", "::1"] { #expect(try allows(.loopback, address: address, .thisMachine)) }
        let hosts = try AllowedHosts("localhost,10.0.0.1", networks: "10.0.0.0/8", allowsPlainHTTP: false)
        #expect(try !allows(hosts, address: "10.0.0.1", .thisMachine))
    }

    @Test func `a connection to a forbidden address sends nothing, and is not tried again`() async throws {
        // Another spelling of 127.0.0.1, which counts as a name.
        func call(networks: String) async throws -> Exchange {
            var settings = HTTPFulfilmentClientConfiguration()
            settings.hosts = try AllowedHosts("127.1", networks: networks, allowsPlainHTTP: true)
            return try await callService(.success, host: "127.1", settings: settings)
        }
        let refused = try await call(networks: "")
        #expect(refused.requests.isEmpty && refused.failure?.reason == .unauthorized && refused.isFinal)
        #expect(!refused.message.contains("127."))
        #expect(refused.log.first?.contains("leads to 127.0.0.1: add its network to --fulfilment-networks") == true)
        let allowed = try await call(networks: "127.0.0.0/8")
        #expect(allowed.failure == nil && allowed.requests.count == 1)
    }

    @Test func `a proxy is used for other machines, and never for this one`() async throws {
        try await LoopbackServer.run({ _, _ in .answer(502) }) { proxy in
            var settings = HTTPFulfilmentClientConfiguration()
            settings.proxy = HTTPFulfilmentProxy(host: "127.0.0.1", port: proxy.port)
            settings.hosts = try AllowedHosts("a.example.com,10.1.2.3,127.0.0.1", networks: "", allowsPlainHTTP: true)
            let own = try await callService(.success, settings: settings)
            #expect(own.requests.count == 1 && proxy.requests.isEmpty)
            for url in ["http://a.example.com", "https://10.1.2.3"] {
                try await fulfilling(url, settings: settings, { $0.retries.maximumAttempts = 1 }) { fulfilment in
                    // The connection's address is the address of the proxy, which is on this machine. The address must
                    // not count as the address of the service.
                    let failure = await #expect(throws: IntentFailure.self) {
                        try await fulfilment.handle(call(.handle))
                    }
                    #expect(failure?.reason != .unauthorized)
                }
            }
            let connections = proxy.requests.map { "\($0.method) \($0.uri)" }
            #expect(connections == ["CONNECT a.example.com:80", "CONNECT 10.1.2.3:443"])
        }
    }
}

@Suite("The settings of a fulfilment") struct ConfigurationTests {
    @Test(arguments: [
        "", "rides.example.com", "ftp://a", "http://", "http://user:pw@a/", "http://a:0/", "http://a:99999/",
        "http://a b/", "http://a/ü", "http://a/\r\nX: y", "https://{intent}.example.com/", "http://[::1",
        "http://a..b/", "http:///x",
    ])
    func `a URL must be absolute, use HTTP, and have no user`(_ url: String) {
        #expect(HTTPFulfilmentConfiguration(url: url).violation?.field == "url", "\(url)")
    }

    @Test func `bounds are enforced, and errors name the setting`() {
        func field(_ change: (inout HTTPFulfilmentConfiguration) -> Void) -> String? {
            var configuration = HTTPFulfilmentConfiguration(url: "https://a.example")
            change(&configuration)
            return configuration.violation?.field
        }
        #expect(field { _ in } == nil && field { $0.timeout = .zero } == "timeout")
        #expect(field { $0.retries.maximumAttempts = 0 } == "retries.attempts")
        #expect(field { $0.maximumResponseBytes = 262_145 } == "maximumResponseBytes")
        #expect(field { $0.redirects = 6 } == "redirects" && field { $0.secret = "" } == "secret")
        #expect(field { $0.headers = ["Host": "b"] } == "headers.Host")
        #expect(field { $0.headers = ["X-A": "b\r\nX-B: c"] } == "headers.X-A")
        #expect(field { $0.headers = ["X A": "b"] } == "headers.X A")
    }

    @Test func `a forbidden host is refused before anything is sent, and the error explains what to do`() async throws {
        try await HTTPFulfilmentClient.withClient { client in
            let error = #expect(throws: HTTPFulfilmentError.self) {
                try HTTPIntentFulfilment(HTTPFulfilmentConfiguration(url: "https://a.example.com/x"), client: client)
            }
            #expect(error?.description.contains("add a.example.com:443 to --fulfilment-hosts") == true)
        }
    }

    @Test func `an unreadable CA file and an invalid proxy are named in the error`() throws {
        var settings = HTTPFulfilmentClientConfiguration()
        settings.certificateAuthorities = "/nowhere.pem"
        #expect(throws: HTTPFulfilmentError.self) { try HTTPFulfilmentClient(settings) }
        let proxy = try HTTPFulfilmentProxy(url: "http://proxy:3128")
        #expect(proxy == HTTPFulfilmentProxy(host: "proxy", port: 3128))
        for url in ["https://proxy", "proxy:3128", "http://proxy/x"] {
            #expect(throws: HTTPFulfilmentError.self) { try HTTPFulfilmentProxy(url: url) }
        }
    }

    @Test(arguments: ["a..", "a.b..", "127.0.0.1..", ".", "..", "a..b"])
    func `a host may end with one dot, and has no empty part`(_ host: String) throws {
        #expect(try FulfilmentURL("http://a.b./x").host == "a.b")
        #expect(throws: FulfilmentURL.Problem.self) { try FulfilmentURL("http://\(host)/x") }
    }

    @Test(arguments: [
        ("/x", "http://a:1/x"), ("x", "http://a:1/p/x"), ("?q", "http://a:1/p/r?q"), ("//b/x", "http://b/x"),
        ("https://B:443/x#f", "https://b/x"), ("x:y", "http://a:1/p/x:y"),
    ])
    func `a location is resolved against the URL that returned it`(_ location: String, _ expected: String) throws {
        #expect(try FulfilmentURL("http://a:1/p/r?s").redirected(to: location).text == expected)
    }
}
