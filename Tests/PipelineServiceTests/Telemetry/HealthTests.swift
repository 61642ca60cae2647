import AsyncHTTPClient
import Conversation
import CoreMetrics
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Pipeline
import ServiceLifecycle
import Testing

@testable import PipelineService

@Suite("Health") struct HealthTests {
    private let machine = Machine()
    private let health: Health
    private let answers: TelemetryAnswers

    init() {
        health = Health(now: machine.elapsed)
        answers = TelemetryAnswers(registry: PrometheusRegistry(described: [], logger: quiet), health: health)
    }

    private func status(_ path: String) -> Int { answers.answer(to: path, accept: "").status }

    @Test func `a process is ready when all of its members have joined and work, and has started once it was`() {
        #expect(health.isLive && !health.isReady && !health.hasStarted)
        health.expect(members: 2)
        let first = health.begin("resolver", isMember: true)
        _ = health.begin("catalog", isMember: false)
        first.beat(isReady: true)
        #expect(!health.isReady, "one member is missing")
        let second = health.begin("handler", isMember: true)
        #expect(!health.isReady)
        second.beat(isReady: true)
        #expect(health.isReady && health.hasStarted)
        // The member is not ready during a rebalance.
        second.beat(isReady: false)
        #expect(!health.isReady && health.hasStarted && health.isLive)
        second.beat(isReady: true)
        health.drain()
        #expect(!health.isReady && health.hasStarted && health.isLive)
    }

    @Test func `a process has started although a partition that needs repair keeps it unready`() {
        health.expect(members: 1)
        let loop = health.begin("coordinator", isMember: true)
        loop.beat(isReady: false)
        #expect(!health.isReady && !health.hasStarted)
        loop.beat(isReady: false, hasStarted: true)
        #expect(!health.isReady && health.hasStarted)
    }

    @Test func `a process that is kept unready says why, however its loops are`() {
        health.expect(members: 0)
        #expect(status("/readyz") == 200)
        health.suspend(because: "the clock is wrong")
        let answer = answers.answer(to: "/readyz", accept: "")
        #expect(answer.status == 503 && answer.body.contains(#""cause":"the clock is wrong""#))
        #expect(status("/livez") == 200)
        health.suspend(because: nil)
        #expect(status("/readyz") == 200)
    }

    @Test func `a loop that has not polled for a minute fails liveness by name, unless it has ended`() {
        let hanging = health.begin("handler", isMember: true)
        let other = health.begin("catalog", isMember: false)
        machine.pass(60)
        other.beat()
        #expect(health.isLive && hanging.silence == .seconds(60))
        machine.pass(1)
        #expect(!health.isLive && health.silent.map(\.name) == ["handler"])
        health.end(hanging)
        #expect(health.isLive)
    }

    @Test func `a process is not ready while a loop hangs, although its members were ready when they polled last`() {
        health.expect(members: 1)
        let member = health.begin("handler", isMember: true)
        let tasks = health.begin("tasks", isMember: false)
        member.beat(isReady: true)
        #expect(health.isReady)
        machine.pass(61)
        member.beat(isReady: true)
        #expect(!health.isLive && !health.isReady)
        tasks.beat()
        #expect(health.isLive && health.isReady)
        health.markTerminating()
        #expect(health.isLive && !health.isReady && health.hasStarted)
    }

    @Test func `each answer says which loop decides it`() {
        health.expect(members: 1)
        let loop = health.begin("coordinator", isMember: true)
        machine.pass(3)
        let waiting = answers.answer(to: "/readyz", accept: "")
        #expect(waiting.status == 503)
        let body = #"{"status":"failing","loops":[{"name":"coordinator","ready":false,"secondsSincePoll":3}]}"#
        #expect(waiting.body == body + "\n" && status("/livez?verbose") == 200 && status("/startupz") == 503)
        loop.beat(isReady: true)
        #expect(status("/readyz") == 200 && status("/startupz") == 200 && status("/other") == 404)
    }
}

@Suite("The server of metrics and health") struct TelemetryServerTests {
    private func serving(
        _ health: Health = Health(), requestTimeout: TimeAmount = TelemetryServer.requestTimeout,
        _ body: @escaping @Sendable (TelemetryServer.Address) async throws -> Void
    ) async throws {
        let registry = PrometheusRegistry(described: PipelineMetric.all, logger: quiet)
        registry.makeCounter(label: "intents_decisions_total", dimensions: []).increment(by: 7)
        let (addresses, told) = AsyncStream.makeStream(of: TelemetryServer.Address.self)
        let server = TelemetryServer(
            .init(host: "127.0.0.1", port: 0), registry, health, requestTimeout: requestTimeout, logger: quiet
        ) { told.yield($0) }
        let group = ServiceGroup(services: [server], logger: quiet)
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
        timeout: TimeAmount = .seconds(120)
    ) async throws -> (status: Int, headers: HTTPHeaders, body: String) {
        var request = HTTPClientRequest(url: "http://\(address)\(path)")
        request.method = method
        if let accept { request.headers.add(name: "Accept", value: accept) }
        let response = try await HTTPClient.shared.execute(request, timeout: timeout)
        let body = String(buffer: try await response.body.collect(upTo: 1 << 20))
        return (Int(response.status.code), response.headers, body)
    }

    private func connect(_ address: TelemetryServer.Address) async throws -> any Channel {
        try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: address.host, port: address.port).get()
    }

    @Test func `metrics come in the requested format, and health with a status for probes`() async throws {
        let health = Health()
        health.expect(members: 1)
        try await serving(health) { address in
            let metrics = try await get(address, "/metrics")
            #expect(metrics.status == 200 && metrics.body.contains("\nintents_decisions_total 7\n"))
            #expect(metrics.headers["content-type"] == ["text/plain; version=0.0.4; charset=utf-8"])
            #expect(metrics.headers["cache-control"] == ["no-store"])
            let open = try await get(
                address, "/metrics", accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5")
            #expect(open.headers["content-type"] == ["application/openmetrics-text; version=1.0.0; charset=utf-8"])
            #expect(open.body.hasSuffix("# EOF\n"))
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

    @Test(.timeLimit(.minutes(10)))
    func `connections that send nothing, however many, don't keep a probe from its answer`() async throws {
        try await serving(requestTimeout: .hours(1)) { address in
            var slow: [any Channel] = []
            for _ in 0..<TelemetryServer.maximumConnections + 16 {
                let channel = try await connect(address)
                // A connection that the server has closed can't be written to.
                try? await channel.writeAndFlush(ByteBuffer(string: "GET /livez HTTP/1.1\r\n"))
                slow.append(channel)
            }
            // Sooner than a silent connection is closed, which would make room too.
            #expect(try await get(address, "/livez", timeout: .seconds(25)).status == 200)
            for channel in slow { try? await channel.close() }
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a request that isn't there in time ends its connection, however often a byte of it comes`() async throws {
        try await serving(requestTimeout: .milliseconds(200)) { address in
            let channel = try await connect(address)
            let dripping = channel.eventLoop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(20)) { _ in
                channel.writeAndFlush(ByteBuffer(string: "G"), promise: nil)
            }
            try await channel.closeFuture.get()
            dripping.cancel()
            // A reused connection has the whole time for each request.
            for _ in 0..<3 { #expect(try await get(address, "/livez").status == 200) }
        }
    }

    @Test func `an address that is taken is an error that says what to do`() async throws {
        try await serving { address in
            let registry = PrometheusRegistry(described: [], logger: quiet)
            let second = TelemetryServer(address, registry, Health(), logger: quiet)
            let error = try await #require(throws: TelemetryError.self) { try await second.run() }
            #expect("\(error)".contains("\(address)") && "\(error)".contains("--telemetry"))
        }
    }

    @Test(
        arguments: [
            ("127.0.0.1:9464", "127.0.0.1:9464"), (":9464", "0.0.0.0:9464"), ("[::1]:0", "[::1]:0"), ("localhost", nil),
            ("::1:80", nil), ("a:70000", nil), ("", nil), ("a:", nil),
        ] as [(String, String?)])
    func `an address is host and port`(_ text: String, _ read: String?) {
        #expect(TelemetryServer.Address(text)?.description == read)
    }
}
