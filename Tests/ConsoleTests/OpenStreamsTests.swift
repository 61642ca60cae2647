import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntentEvents
import IntentModel
import NIOCore
import PipelineTestKit
import RecordLog
import Testing

@testable import Console
@testable import PersonGateway

@Suite("Open streams") struct OpenStreamsTests {
    private static let anyone = Caller(principal: nil, roles: [.observer], isLocal: true)

    private static func openStreams(maximum: Int = 20_000, perPrincipal: Int = 1_000) -> OpenStreams {
        OpenStreams(authenticator: Authenticator(local: nil), maximumPerPrincipal: perPrincipal, maximum: maximum)
    }

    private static func response(on streams: OpenStreams) throws -> Response {
        EventStream.response(of: ByteBuffer(string: "x"), on: try streams.admit(anyone))
    }

    /// A writer for a reader that does not read: a write returns only when its task is cancelled.
    private struct StuckWriter: ResponseBodyWriter {
        mutating func write(_ buffer: ByteBuffer) async throws {
            try await ContinuousClock().sleep(for: .seconds(86_400))
        }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// A writer for a reader that leaves after some writes.
    private struct LeavingWriter: ResponseBodyWriter {
        let written: Recorder<String>
        mutating func write(_ buffer: ByteBuffer) async throws {
            written.record(String(buffer: buffer))
            if written.all.count == 3 { throw ChannelError.ioOnClosedChannel }
        }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// A response for each kind of stream, with something to write.
    private static func responses(_ gateway: Gateway, _ streams: OpenStreams) throws -> [Response] {
        let (followed, _) = gateway.view(for: .unrestricted).followAll()
        let (messages, message) = AsyncStream.makeStream(of: JSON.self)
        message.yield(.null)
        return [
            try response(on: streams),
            EventStream.response(of: followed, first: ByteBuffer(string: "x"), on: try streams.admit(anyone)) { _, _ in
            } end: {
                followed.cancel()
            }, AgentRoutes.stream(messages, on: try streams.admit(anyone)),
        ]
    }

    @Test(.timeLimit(.minutes(10)), arguments: [false, true])
    func `an unread stream ends after 30 s, or after 2 s once the process drains`(isDraining: Bool) async throws {
        let running = try await RunningGateway()
        let streams = Self.openStreams()
        let tasks = try Self.responses(running.gateway, streams).map { response in
            Task { try await response.body.write(StuckWriter()) }
        }
        // Each stream has a write in progress.
        try await until { streams.count == tasks.count && streams.writing == tasks.count }
        if isDraining { streams.drain() }
        let patience = isDraining ? OpenStreams.patienceInDrain : OpenStreams.patience
        streams.endFailingStreams(at: .now.advanced(by: patience - .seconds(1)))
        #expect(streams.count == tasks.count)
        streams.endFailingStreams(at: .now.advanced(by: patience))
        for task in tasks { await #expect(throws: EventStream.Disconnect.self) { try await task.value } }
        #expect(streams.count == 0 && running.gateway.load.readers == 0)
    }

    @Test(.timeLimit(.minutes(10)))
    func `the connection of a reader that does not read is closed`() async throws {
        let streams = Self.openStreams()
        let router = Router()
        router.get("/") { _, _ in
            EventStream.response(on: try streams.admit(Self.anyone)) { writer in
                while true { try await writer.write(ByteBuffer(repeating: 0x20, count: 1 << 20)) }
            }
        }
        try await Application(router: router).test(.live) { client in
            let reader = try await RawConnection(
                port: try #require(client.port), sending: "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", reads: false)
            try await until { streams.count == 1 }
            try await until {
                // A write that takes this long is blocked.
                streams.endFailingStreams(at: .now.advanced(by: OpenStreams.patience - .milliseconds(200)))
                return streams.count == 0
            }
            // The bytes that the system has already accepted can still be read, and then the connection ends.
            _ = try await reader.rest()
        }
    }

    @Test(.timeLimit(.minutes(10)))
    func `a stream that opens after the process drains ends at once`() async throws {
        let streams = Self.openStreams()
        streams.drain()
        let response = try Self.response(on: streams)
        await #expect(throws: EventStream.Disconnect.self) { try await response.body.write(StuckWriter()) }
        // Without streams to supervise, `run()` ends.
        try await streams.run()
    }

    @Test(.timeLimit(.minutes(10)))
    func `an agent's idle stream sends signs of life, and its subscription ends with the client`() async throws {
        let streams = Self.openStreams()
        let (messages, message) = AsyncStream.makeStream(of: JSON.self)
        let (written, ended) = (Recorder<String>(), Recorder<String>())
        message.onTermination = { _ in ended.record("ended") }
        let response = AgentRoutes.stream(messages, on: try streams.admit(Self.anyone), pulse: .milliseconds(1))
        await #expect(throws: ChannelError.self) { try await response.body.write(LeavingWriter(written: written)) }
        #expect(written.all == [": alive\n\n", ": alive\n\n", ": alive\n\n"] && ended.all == ["ended"])
    }

    @Test(.timeLimit(.minutes(10)))
    func `a stream ends when its caller's token expires, and when other keys are used`() async throws {
        let console = try await RunningConsole(isOpen: false)
        let token = try await console.token("ann", ["person"])
        for path in ["overview/events", "events", "sessions/s/events"] {
            let stream = console.follow(path, token: token)
            try await until { console.streams.count == 1 }
            console.streams.endFailingStreams()
            #expect(console.streams.count == 1)
            console.streams.endFailingStreams(date: .now.addingTimeInterval(700))
            _ = await stream.result
            #expect(console.streams.count == 0)
        }
        let stream = console.follow("events", token: token)
        try await until { console.streams.count == 1 }
        #expect(try await console.authenticator.replaceKeys(with: Data(try TestTokens().jwks().utf8)))
        console.streams.endFailingStreams()
        _ = await stream.result
        #expect(console.streams.count == 0 && console.running.gateway.load.readers == 0)
    }

    private static func isRefused(_ streams: OpenStreams, _ caller: Caller) -> Bool {
        do { _ = try streams.admit(caller) } catch { return error.status == .tooManyRequests }
        return false
    }

    @Test func `a principal's open streams are limited unless the principal sees all sessions`() throws {
        let streams = Self.openStreams(perPrincipal: 2)
        let (ann, bob) = (Principal(.appUser, "ann"), Principal(.appUser, "bob"))
        let (person, agent) = (Caller(principal: ann, roles: [.person]), Caller(principal: ann, roles: [.agent]))
        let seats = [try streams.admit(person), try streams.admit(agent)]
        #expect(Self.isRefused(streams, person) && Self.isRefused(streams, agent))
        let observer = Caller(principal: ann, roles: [.person, .observer])
        let others = try [Caller(principal: bob, roles: [.person]), observer, Self.anyone].map { try streams.admit($0) }
        #expect(streams.count == 5)
        for seat in others + [seats[0], seats[0]] { seat.release() }
        let next = try streams.admit(person)
        #expect(Self.isRefused(streams, agent) && streams.count == 2)
        next.release()
        seats[1].release()
        #expect(streams.count == 0)
    }

    @Test func `all open streams are limited, and a response that is never written makes room`() throws {
        let streams = Self.openStreams(maximum: 2)
        let first = try streams.admit(Self.anyone)
        do {
            let response = try Self.response(on: streams)
            #expect(Self.isRefused(streams, Self.anyone) && response.status == .ok)
        }
        #expect(!Self.isRefused(streams, Self.anyone) && streams.count == 1)
        first.release()
    }
}

@Suite("The route for agents") struct AgentRoutesTests {
    @Test(.timeLimit(.minutes(10)))
    func `an agent's open streams are limited, and a further one is refused with the reason`() async throws {
        let console = try await RunningConsole(isOpen: false, streamsPerPrincipal: 2)
        let token = try await console.token("ann", ["agent"])
        let listen =
            #"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"_meta":{"#
            + #""io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#
        let headers: HTTPFields = [
            .authorization: "Bearer \(token)", .contentType: "application/json", .accept: "text/event-stream",
            try #require(HTTPField.Name("mcp-protocol-version")): "2026-07-28",
            try #require(HTTPField.Name("mcp-method")): "subscriptions/listen",
        ]
        let client = console.client
        @Sendable func call() async throws -> TestResponse {
            try await client.execute(uri: "/mcp", method: .post, headers: headers, body: ByteBuffer(string: listen))
        }
        let tasks = (0..<2).map { _ in Task { try await call() } }
        defer { for task in tasks { task.cancel() } }
        try await until { console.streams.count == 2 }
        let refused = try await call()
        #expect(refused.status == .tooManyRequests)
        #expect(String(buffer: refused.body).contains("2 streams of yours are open") && console.streams.count == 2)
        console.streams.endFailingStreams(date: .now.addingTimeInterval(700))
        for task in tasks { _ = await task.result }
    }
}

@Suite("The console's streams") struct StreamRoutesTests {
    @Test func `an event that arrives while a reader subscribes is streamed once`() async throws {
        let console = try await RunningConsole()
        try await console.running.ask("s")
        let gateway = console.running.gateway
        let event = try #require(console.running.session("s")?.events.first { $0.origin == .results })
        let place = "\(event.position.partition):\(event.position.offset - 1)"
        let stream = console.follow("sessions/s/events?last-event-id=\(place)")
        try await until { gateway.load.readers > 0 }
        // The event is on the gateway's board, so the reader has it. Now the gateway sends the event to its
        // followers too.
        gateway.publish([event])
        try console.running.close()
        #expect(try await stream.value.components(separatedBy: "id: \(event.position)\n").count == 2)
    }

    @Test(.timeLimit(.minutes(10)))
    func `nothing is read from the log for a stream of another person's session`() async throws {
        let console = try await RunningConsole(isOpen: false)
        try await console.running.ask("s")
        let partition = try #require(console.running.session("s")).partition
        // The session began long ago, and only one of its results is known.
        try console.running.write(
            .progressed, of: "old", id: "x", in: partition, owner: "ann", ["sequence": .number(9), "request": "r"])
        try await console.running.until("the old session") { $0.session("old") != nil }
        // A reading from the log would fail now.
        try console.running.archive.close(timeout: .zero)
        let path = "sessions/old/events?last-event-id=\(partition):-1"
        #expect(try await console.caller("ann", "person").get(path).status == 503)
        let shown = try await console.caller("bob", "person").get(path, closing: true)
        #expect(shown.status == 200 && !shown.text.contains("id:"))
    }
}
