import Conversation
import IntentModel
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Pipeline
import ServiceLifecycle
import Synchronization
import Testing
import Tracing

@testable import PipelineService

@Suite("Spans for a collector") struct OTLPTests {
    private static func configuration(_ variables: [String: String]) throws(OTLPSettingError) -> OTLPConfiguration? {
        try OTLPConfiguration(environment: variables, service: "sample-worker", instance: "w-1", version: "0.1.0")
    }

    /// The queue of a collector at `http://c` with further variables.
    private static func queue(_ variables: [String: String] = [:]) throws -> SpanQueue {
        let endpoint = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c"]
        return SpanQueue(try #require(try configuration(endpoint.merging(variables) { $1 })))
    }

    @Test func `OpenTelemetry's variables say where spans go, which, and how often`() throws {
        let read = try #require(
            try Self.configuration([
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://collector:4318/otlp/",
                "OTEL_EXPORTER_OTLP_HEADERS": "api-key=a%20b, x=1",
                "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment=test", "OTEL_SERVICE_NAME": "rides",
                "OTEL_BSP_SCHEDULE_DELAY": "100", "OTEL_BSP_MAX_QUEUE_SIZE": "10",
                "OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0.25",
            ]))
        #expect(read.endpoint == .init(host: "collector", port: 4_318, path: "/otlp/v1/traces"))
        #expect(read.headers.map { "\($0.0)=\($0.1)" } == ["api-key=a b", "x=1"])
        let service = ["name=rides", "instance.id=w-1", "version=0.1.0"].map { "service.\($0)" }
        #expect(read.resource.map { "\($0.0)=\($0.1)" } == ["deployment.environment=test"] + service)
        #expect(read.ratio == 0.25 && read.followsSender && read.delay == .milliseconds(100))
        #expect(read.maximumQueue == 10 && read.maximumBatch == 10)
        let exact = try Self.configuration(["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://[::1]/v1/traces"])
        #expect(exact?.endpoint == .init(host: "::1", port: 4_318, path: "/v1/traces"))
        #expect(exact?.resource.contains { $0 == ("service.name", "sample-worker") } == true)
    }

    @Test func `without a collector nothing is traced, and neither is it if the environment says so`() throws {
        #expect(try Self.configuration([:]) == nil)
        let endpoint = ["OTEL_EXPORTER_OTLP_ENDPOINT": "http://c:4318"]
        #expect(try Self.configuration(endpoint.merging(["OTEL_SDK_DISABLED": "true"]) { $1 }) == nil)
        #expect(try Self.configuration(endpoint.merging(["OTEL_TRACES_EXPORTER": "none"]) { $1 }) == nil)
    }

    @Test(arguments: [
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "https://c:4318"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://user:pw@c:4318"), ("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "secret"), ("OTEL_TRACES_SAMPLER", "sometimes"),
        ("OTEL_EXPORTER_OTLP_TIMEOUT", "-1"),
    ])
    func `an unusable variable is named, without a value that may be secret`(_ name: String, _ value: String) throws {
        let error = try #require(throws: OTLPSettingError.self) { try Self.queue([name: value]) }
        let text = "\(error)"
        #expect(text.hasPrefix("\(name) ") && !text.contains("secret") && !text.contains("pw"), "\(text)")
    }

    @Test func `a trace's header is read as W3C's recommendation has it, and written as it was read`() throws {
        let (trace, span) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7")
        let valid = "00-\(trace)-\(span)-01"
        #expect(SpanContext(traceparent: valid, state: nil)?.traceparent == valid)
        #expect(SpanContext(traceparent: "cc-\(trace)-\(span)-03-more", state: nil)?.isSampled == true)
        for wrong in [
            "", "00-\(trace)-\(span)", "ff-\(trace)-\(span)-01", "00-\(trace.uppercased())-\(span)-01",
            "00-\(String(repeating: "0", count: 32))-\(span)-01", "00-\(trace)-\(String(repeating: "0", count: 16))-01",
            "\(valid)-more", "00-\(trace)-\(span)-0g",
        ] { #expect(SpanContext(traceparent: wrong, state: nil) == nil, "\(wrong)") }
    }

    @Test func `spans of swift-distributed-tracing nest, and end in OTLP's JSON`() throws {
        let queue = try Self.queue()
        let tracer = OTLPTracer(queue)
        tracer.withSpan("outer", context: .topLevel, ofKind: .server) { outer in
            outer.attributes["count"] = 3
            tracer.withSpan("inner", context: outer.context) { inner in
                inner.recordError(CancellationError())
                inner.setStatus(.init(code: .error, message: "no"))
                inner.addEvent("happened")
            }
            outer.end()
        }
        let spans = queue.removeBatch()
        #expect(spans.map(\.name) == ["inner", "outer"])
        #expect(spans[0].parent == spans[1].context.span && spans[1].parent == nil)
        let body = try JSONView(parsing: OTLPJSON.body(spans, resource: [("service.name", "s")], version: "1"))
        let resource = try #require(body["resourceSpans"]?.elements.first)
        #expect(resource["resource"]?["attributes"]?.elements.first?["value"]?["stringValue"]?.string == "s")
        let told = Array(try #require(resource["scopeSpans"]?.elements.first?["spans"]).elements)
        #expect(told.map { $0["kind"]?.int } == [1, 2] && told[0]["status"]?["code"]?.int == 2)
        #expect(told[0]["status"]?["message"]?.string == "no")
        #expect(told[0]["traceId"]?.string == told[1]["traceId"]?.string)
        #expect(told[0]["parentSpanId"]?.string == told[1]["spanId"]?.string)
        #expect(told[1]["attributes"]?.elements.first?["value"]?["intValue"]?.string == "3")
        #expect(told[1]["startTimeUnixNano"]?.string != nil)
        #expect(told[0]["events"]?.elements.map { $0["name"]?.string } == ["exception", "happened"])
    }

    @Test func `a trace is recorded as its sender says, or by the share of traces that is to be recorded`() throws {
        func queue(_ sampler: String, _ share: String) throws -> SpanQueue {
            try Self.queue(["OTEL_TRACES_SAMPLER": sampler, "OTEL_TRACES_SAMPLER_ARG": share])
        }
        let sent = SpanContext(traceHigh: 1, traceLow: .max, span: 1, isSampled: true)
        #expect(try queue("parentbased_traceidratio", "0").isRecorded(sent))
        #expect(try !queue("traceidratio", "0.5").isRecorded(sent))
        #expect(try !queue("parentbased_traceidratio", "0").newTrace().isSampled)
        #expect(try queue("parentbased_always_on", "").newTrace().isSampled)
        let half = try queue("traceidratio", "0.5")
        #expect(800...1_200 ~= (0..<2_000).count { _ in half.newTrace().isSampled })
        // A span that is not sampled is not recorded.
        half.record(Self.span(isSampled: false))
        #expect(half.removeBatch().isEmpty)
    }

    @Test func `a full queue drops spans and counts them`() throws {
        let queue = try Self.queue(["OTEL_BSP_MAX_QUEUE_SIZE": "2"])
        for _ in 0..<3 { queue.record(Self.span()) }
        #expect(queue.dropped == 1 && queue.removeBatch().count == 2)
    }

    private static func span(isSampled: Bool = true) -> FinishedSpan {
        let context = SpanContext(traceHigh: 1, traceLow: 1, span: 1, isSampled: isSampled)
        return FinishedSpan(context, parent: nil, "n", .internal, start: 1, end: 2)
    }

    // MARK: A collector

    /// A collector that answers each request with the next status, repeats the last status, and stores the bodies.
    private final class Collector: Sendable {
        private let statuses: Mutex<[Int]>
        private let bodies = Mutex<[[UInt8]]>([])
        let (received, tell) = AsyncStream.makeStream(of: Void.self)
        let reply: String

        init(_ statuses: [Int], reply: String) {
            self.statuses = Mutex(statuses)
            self.reply = reply
        }

        var all: [[UInt8]] { bodies.withLock { $0 } }

        func receive(_ body: [UInt8]) -> Int {
            bodies.withLock { $0.append(body) }
            defer { tell.yield() }
            return statuses.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
        }
    }

    private final class CollectorHandler: ChannelInboundHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart
        private let collector: Collector
        private var body: [UInt8] = []

        init(_ collector: Collector) { self.collector = collector }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head: body = []
            case .body(let part): body += part.readableBytesView
            case .end:
                let status = collector.receive(body)
                // The status 0 stands for a collector that hangs.
                if status == 0 { return }
                let headers: HTTPHeaders = ["Content-Length": "\(collector.reply.utf8.count)", "Retry-After": "0"]
                let head = HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: headers)
                context.write(wrapOutboundOut(.head(head)), promise: nil)
                context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(string: collector.reply)))), promise: nil)
                context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
            }
        }
    }

    private func exporting(
        _ statuses: [Int], _ requests: Int, reply: String = "{}"
    ) async throws -> (bodies: [[UInt8]], dropped: Int) {
        let collector = Collector(statuses, reply: reply)
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).childChannelInitializer {
            channel in
            channel.eventLoop.makeCompletedFuture {
                try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                try channel.pipeline.syncOperations.addHandler(CollectorHandler(collector))
            }
        }
        let listener = try await bootstrap.bind(host: "127.0.0.1", port: 0).get()
        let configuration = try #require(
            try Self.configuration([
                "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:\(listener.localAddress?.port ?? 0)",
                // The timeout is longer than a test may take.
                "OTEL_BSP_SCHEDULE_DELAY": "20", "OTEL_EXPORTER_OTLP_TIMEOUT": "600000",
            ]))
        let queue = SpanQueue(configuration)
        let exporter = OTLPExporter(configuration, queue, version: "1", logger: quiet)
        let group = ServiceGroup(services: [exporter], logger: quiet)
        queue.record(Self.span())
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            var left = requests
            for await _ in collector.received {
                left -= 1
                if left == 0 { break }
            }
            // The last spans are sent when the process ends.
            queue.record(Self.span())
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
        try await listener.close()
        return (collector.all, queue.dropped)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a batch is sent again while the collector is busy, and the rest is sent at the end`() async throws {
        let (bodies, dropped) = try await exporting([503, 429, 200], 3)
        try #require(bodies.count == 4 && dropped == 0)
        #expect(try bodies[0] == bodies[2] && JSONView(parsing: bodies[3])["resourceSpans"] != nil)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [("1", 2), ("9223372036854775807", 2), ("-1", 0), ("many", 0)])
    func `a collector rejects at most as many spans as it was sent`(_ rejected: String, _ expected: Int) async throws {
        let reply = #"{"partialSuccess":{"rejectedSpans":"\#(rejected)","errorMessage":"too old"}}"#
        let (bodies, dropped) = try await exporting([200], 1, reply: reply)
        #expect(bodies.count == 2 && dropped == expected)
    }

    @Test(.timeLimit(.minutes(10)), arguments: [([400, 200], 1), ([0], 2)])
    func `a refused or unanswered batch is dropped, counted, not awaited`(_ statuses: [Int], _ lost: Int) async throws {
        let (bodies, dropped) = try await exporting(statuses, 1)
        #expect(bodies.count == 2 && dropped == lost)
    }
}
