import AsyncHTTPClient
import CoreMetrics
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Pipeline
import ServiceLifecycle
import Testing

@testable import PipelineService

@Suite("The server of metrics and health")
struct TelemetryServerTests {
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private func serving(
        _ health: Health, requestTimeout: TimeAmount = TelemetryServer.requestTimeout,
        _ body: @escaping @Sendable (TelemetryServer.Address) async throws -> Void
    ) async throws {
        let registry = PrometheusRegistry(described: PipelineMetric.all, logger: logger)
        registry.makeCounter(label: "intents_decisions_total", dimensions: []).increment(by: 7)
        let (addresses, told) = AsyncStream.makeStream(of: TelemetryServer.Address.self)
        let server = TelemetryServer(
            .init(host: "127.0.0.1", port: 0), registry, health, requestTimeout: requestTimeout, logger: logger
        ) { told.yield($0) }
        let group = ServiceGroup(services: [server], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            for await address in addresses {
                try await body(address)
                break
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }

    private func get(
        _ address: TelemetryServer.Address, _ path: String, _ method: HTTPMethod = .GET, accept: String? = nil,
        timeout: TimeAmount = .seconds(30)
    )
        async throws -> (
            status: Int, headers: HTTPHeaders, body: String
        )
    {
        var request = HTTPClientRequest(url: "http://\(address)\(path)")
        request.method = method
        if let accept { request.headers.add(name: "Accept", value: accept) }
        let response = try await HTTPClient.shared.execute(request, timeout: timeout)
        return (
            Int(response.status.code), response.headers, String(buffer: try await response.body.collect(upTo: 1 << 20))
        )
    }

    @Test("serves metrics in the format that is asked for, and health with a status that a probe understands")
    func serves() async throws {
        let health = Health()
        health.expect(members: 1)
        try await serving(health) { address in
            let metrics = try await get(address, "/metrics")
            #expect(metrics.status == 200 && metrics.body.contains("\nintents_decisions_total 7\n"))
            #expect(metrics.headers["content-type"] == ["text/plain; version=0.0.4; charset=utf-8"])
            #expect(metrics.headers["cache-control"] == ["no-store"])
            let open = try await get(
                address, "/metrics", accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
            #expect(
                open.headers["content-type"] == ["application/openmetrics-text; version=1.0.0; charset=utf-8"]
                    && open.body.hasSuffix("# EOF\n"))
            #expect(try await get(address, "/readyz").status == 503)
            health.begin("loop", isMember: true).beat(isReady: true)
            #expect(try await get(address, "/readyz").status == 200)
            #expect(try await get(address, "/livez").status == 200)
            #expect(try await get(address, "/nothing").status == 404)
            let posted = try await get(address, "/metrics", .POST)
            #expect(posted.status == 405 && posted.headers["allow"] == ["GET, HEAD"])
            let head = try await get(address, "/metrics", .HEAD)
            #expect(head.status == 200 && head.body.isEmpty)
        }
    }

    @Test("connections that send nothing, however many, don't keep a probe from its answer", .timeLimit(.minutes(1)))
    func slow() async throws {
        try await serving(Health()) { address in
            var slow: [any Channel] = []
            for _ in 0..<TelemetryServer.maximumConnections + 16 {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: address.host, port: address.port).get()
                // A connection that the server has closed can't be written to.
                try? await channel.writeAndFlush(ByteBuffer(string: "GET /livez HTTP/1.1\r\n"))
                slow.append(channel)
            }
            #expect(try await get(address, "/livez", timeout: .seconds(4)).status == 200)
            for channel in slow { try? await channel.close() }
        }
    }

    @Test(
        "a request that isn't there in time ends its connection, however often a byte of it comes",
        .timeLimit(.minutes(1)))
    func drip() async throws {
        try await serving(Health(), requestTimeout: .milliseconds(200)) { address in
            let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .connect(host: address.host, port: address.port).get()
            let dripping = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
                channel.writeAndFlush(ByteBuffer(string: "G"), promise: nil)
            }
            try await channel.closeFuture.get()
            dripping.cancel()
            // A reused connection has the whole time for each request.
            for _ in 0..<3 { #expect(try await get(address, "/livez").status == 200) }
        }
    }

    @Test("an address that is taken is an error that says what to do")
    func taken() async throws {
        try await serving(Health()) { address in
            let registry = PrometheusRegistry(described: [], logger: logger)
            let second = TelemetryServer(address, registry, Health(), logger: logger)
            let error = await #expect(throws: TelemetryError.self) { try await second.run() }
            #expect(error.map { "\($0)".contains("\(address)") && "\($0)".contains("--telemetry") } == true)
        }
    }

    @Test(
        "an address is host and port",
        arguments: [
            ("127.0.0.1:9464", "127.0.0.1:9464"), (":9464", "0.0.0.0:9464"), ("[::1]:0", "[::1]:0"), ("localhost", nil),
            ("::1:80", nil),
            ("a:70000", nil), ("", nil), ("a:", nil),
        ] as [(String, String?)])
    func addresses(_ text: String, _ read: String?) { #expect(TelemetryServer.Address(text)?.description == read) }
}
