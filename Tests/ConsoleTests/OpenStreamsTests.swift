import Foundation
import GatewayFixture
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import IntentModel
import NIOCore
import PersonGateway
import Synchronization
import Testing

@testable import Console

@Suite("Open streams")
struct OpenStreamsTests {
    private static let anyone = Caller(principal: nil, roles: [.observer], isLocal: true)

    /// A writer for a reader that does not read: a write returns only when its task is cancelled.
    private struct StuckWriter: ResponseBodyWriter {
        mutating func write(_ buffer: ByteBuffer) async throws {
            try await ContinuousClock().sleep(for: .seconds(86_400))
        }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    /// A writer for a reader that leaves after some writes.
    private struct LeavingWriter: ResponseBodyWriter {
        let written: Written
        mutating func write(_ buffer: ByteBuffer) async throws {
            let count = written.texts.withLock { texts in
                texts.append(String(buffer: buffer))
                return texts.count
            }
            if count == 3 { throw ChannelError.ioOnClosedChannel }
        }
        consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
    }

    private final class Written: Sendable { let texts = Mutex<[String]>([]) }

    private static func until(_ isTrue: () -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(30))
        while !isTrue() {
            try #require(ContinuousClock.now < deadline)
            await Task.yield()
        }
    }

    /// A response for each kind of stream, with something to write.
    private static func responses(_ gateway: Gateway, _ streams: OpenStreams) throws -> [Response] {
        let (followed, _) = gateway.view(for: .unrestricted).followAll()
        let (messages, message) = AsyncStream.makeStream(of: JSON.self)
        message.yield(.null)
        return [
            EventStream.response(of: ByteBuffer(string: "x"), on: try streams.admit(anyone)),
            EventStream.response(of: followed, first: ByteBuffer(string: "x"), on: try streams.admit(anyone)) { _, _ in
            } end: {
                followed.cancel()
            },
            AgentRoutes.stream(messages, on: try streams.admit(anyone)),
        ]
    }

    @Test(
        "a stream whose reader does not read ends after 30 s, and after 2 s once the process drains",
        .timeLimit(.minutes(1)),
        arguments: [false, true])
    func blocked(isDraining: Bool) async throws {
        let running = try await RunningGateway()
        let streams = OpenStreams(authenticator: Authenticator(local: nil))
        let tasks = try Self.responses(running.gateway, streams).map { response in
            Task { try await response.body.write(StuckWriter()) }
        }
        // Each stream has a write in progress.
        try await Self.until { streams.count == tasks.count && streams.writing == tasks.count }
        if isDraining { streams.drain() }
        let patience = isDraining ? OpenStreams.patienceInDrain : OpenStreams.patience
        streams.endFailingStreams(at: .now.advanced(by: patience - .seconds(1)))
        #expect(streams.count == tasks.count)
        streams.endFailingStreams(at: .now.advanced(by: patience))
        for task in tasks { await #expect(throws: EventStream.Disconnect.self) { try await task.value } }
        #expect(streams.count == 0 && running.gateway.load.readers == 0)
    }

    @Test("the connection of a reader that does not read is closed", .timeLimit(.minutes(1)))
    func connection() async throws {
        let streams = OpenStreams(authenticator: Authenticator(local: nil))
        let router = Router()
        router.get("/") { _, _ in
            EventStream.response(on: try streams.admit(Self.anyone)) { writer in
                while true { try await writer.write(ByteBuffer(repeating: 0x20, count: 1 << 20)) }
            }
        }
        try await Application(router: router).test(.live) { client in
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_port = in_port_t(try #require(client.port)).bigEndian
            place.sin_addr.s_addr = inet_addr("127.0.0.1")
            var limit = timeval(tv_sec: 20, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
            let isConnected = withUnsafePointer(to: &place) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                }
            }
            try #require(isConnected)
            let request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
            #expect(send(descriptor, request, request.utf8.count, 0) == request.utf8.count)
            try await Self.until { streams.count == 1 }
            try await Self.until {
                // A write that takes this long is blocked.
                streams.endFailingStreams(at: .now.advanced(by: OpenStreams.patience - .milliseconds(200)))
                return streams.count == 0
            }
            // The bytes that the system has already accepted can still be read, and then the connection ends.
            var buffer = [UInt8](repeating: 0, count: 1 << 20)
            var count = 1
            while count > 0 { count = recv(descriptor, &buffer, buffer.count, 0) }
            #expect(count == 0 || errno == ECONNRESET)
        }
    }

    @Test("after the process drains, a stream that is opened ends at once", .timeLimit(.minutes(1)))
    func late() async throws {
        let streams = OpenStreams(authenticator: Authenticator(local: nil))
        streams.drain()
        let response = EventStream.response(of: ByteBuffer(string: "x"), on: try streams.admit(Self.anyone))
        await #expect(throws: EventStream.Disconnect.self) { try await response.body.write(StuckWriter()) }
        // Without streams to supervise, `run()` ends.
        try await streams.run()
    }

    @Test(
        "an agent's stream without messages shows that it is alive, and a client that has left ends what it listens to",
        .timeLimit(.minutes(1)))
    func alive() async throws {
        let streams = OpenStreams(authenticator: Authenticator(local: nil))
        let (messages, message) = AsyncStream.makeStream(of: JSON.self)
        let ended = Written()
        message.onTermination = { _ in ended.texts.withLock { $0.append("ended") } }
        let written = Written()
        let response = AgentRoutes.stream(messages, on: try streams.admit(Self.anyone), pulse: .milliseconds(1))
        await #expect(throws: ChannelError.self) { try await response.body.write(LeavingWriter(written: written)) }
        #expect(written.texts.withLock { $0 } == [": alive\n\n", ": alive\n\n", ": alive\n\n"])
        #expect(ended.texts.withLock { $0 } == ["ended"])
    }

    @Test("a stream ends when its caller's token expires, and when other keys are used", .timeLimit(.minutes(1)))
    func tokens() async throws {
        try await RunningConsole.with(isOpen: false) { console in
            let token = try await console.token("ann", ["person"])
            for path in ["/api/v1/overview/events", "/api/v1/events", "/api/v1/sessions/s/events"] {
                let task = Task { [client = console.client] in
                    try await client.execute(
                        uri: path, method: .get, headers: [.authorization: "Bearer \(token)"], body: nil)
                }
                try await Self.until { console.streams.count == 1 }
                console.streams.endFailingStreams()
                #expect(console.streams.count == 1)
                console.streams.endFailingStreams(date: .now.addingTimeInterval(700))
                _ = await task.result
                #expect(console.streams.count == 0)
            }
            let task = Task { [client = console.client] in
                try await client.execute(
                    uri: "/api/v1/events", method: .get, headers: [.authorization: "Bearer \(token)"], body: nil)
            }
            try await Self.until { console.streams.count == 1 }
            #expect(try await console.authenticator.replaceKeys(with: Data(try TestTokens().jwks().utf8)))
            console.streams.endFailingStreams()
            _ = await task.result
            #expect(console.streams.count == 0 && console.running.gateway.load.readers == 0)
        }
    }

    private static func isRefused(_ streams: OpenStreams, _ caller: Caller) -> Bool {
        do { _ = try streams.admit(caller) } catch { return error.status == .tooManyRequests }
        return false
    }

    @Test(
        "a principal has a limited number of streams open, unless they see all sessions; a stream that ends makes room")
    func limit() throws {
        let streams = OpenStreams(authenticator: Authenticator(local: nil), maximumPerPrincipal: 2)
        let (ann, bob) = (Principal(.appUser, "ann"), Principal(.appUser, "bob"))
        let (person, agent) = (Caller(principal: ann, roles: [.person]), Caller(principal: ann, roles: [.agent]))
        let seats = [try streams.admit(person), try streams.admit(agent)]
        #expect(Self.isRefused(streams, person) && Self.isRefused(streams, agent))
        let others = [
            try streams.admit(Caller(principal: bob, roles: [.person])),
            try streams.admit(Caller(principal: ann, roles: [.person, .observer])),
            try streams.admit(Self.anyone),
        ]
        #expect(streams.count == 5)
        for seat in others + [seats[0], seats[0]] { seat.release() }
        let next = try streams.admit(person)
        #expect(Self.isRefused(streams, agent) && streams.count == 2)
        next.release()
        seats[1].release()
        #expect(streams.count == 0)
    }

    @Test(
        "all callers together have a limited number of streams open, and an answer that is never written gives its place back"
    )
    func limitInAll() throws {
        let streams = OpenStreams(authenticator: Authenticator(local: nil), maximum: 2)
        let first = try streams.admit(Self.anyone)
        do {
            let response = EventStream.response(of: ByteBuffer(string: "x"), on: try streams.admit(Self.anyone))
            #expect(Self.isRefused(streams, Self.anyone) && response.status == .ok)
        }
        #expect(!Self.isRefused(streams, Self.anyone) && streams.count == 1)
        first.release()
    }
}
