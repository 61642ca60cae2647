import AgentConversation
import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import Logging
import PersonGateway
import PipelineTestKit
import RecordLog
import SampleDomains
import Synchronization
import Testing

@testable import A2AServer

/// An endpoint with a pipeline in memory behind it. Everything runs in the calls.
final class A2AHost {
    let pipeline: TestPipeline
    let gateway: Gateway
    let endpoint: A2AEndpoint

    init(_ pipeline: TestPipeline? = nil, change: (inout AgentSettings) -> Void = { _ in }) async throws {
        if let pipeline { self.pipeline = pipeline } else { self.pipeline = try await Self.rides() }
        let clock = self.pipeline.clock
        gateway = Gateway(
            client: try self.pipeline.log.connect(ClientConfiguration(clientID: "gateway-\(UUID())")), topics: self.pipeline.topics,
            partitions: 2, sources: .init(said: true, deadLetters: false), clock: { clock.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        var settings = AgentSettings(key: [UInt8](repeating: 7, count: 32))
        change(&settings)
        endpoint = A2AEndpoint(
            gateway, clock: AgentClock(now: { clock.now }, sleep: { _ in try await Self.forever() }), settings: settings,
            card: AgentCard(url: "https://console.example/a2a", version: "1.2.3", needsBearer: true))
        try await step()
    }

    /// Ends when the task is cancelled.
    private static func forever() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        for await _ in stream {}
        continuation.finish()
        throw CancellationError()
    }

    private static func rides() async throws -> TestPipeline {
        let noon = Date(timeIntervalSince1970: 1_803_902_400)
        let rides = RideExtension(book: RideBook(store: SampleStore()), clock: RideClock(now: { noon }))
        return try await serving(try IntentRegistry([rides], dependencies: AppDependencyManager()))
    }

    /// A pipeline that serves parcels: a weight has to be confirmed, and a PIN is secret.
    static func parcels(change: (TestPipeline) -> Void = { _ in }) async throws -> TestPipeline {
        try await serving(try SingleHandlerExtension(handler: SendParcelHandler()).registry(), change: change)
    }

    private static func serving(_ registry: IntentRegistry, change: (TestPipeline) -> Void = { _ in }) async throws -> TestPipeline {
        let pipeline = try await TestPipeline(perform: { await registry.perform($0, report: $1) })
        pipeline.policies = { registry.policy(of: $0) }
        change(pipeline)
        try pipeline.startAll()
        try pipeline.startPublisher("publisher", of: registry)
        try await pipeline.settle()
        return pipeline
    }

    func step() async throws {
        try await pipeline.settle()
        while try gateway.step(timeout: .zero) {}
        await Task.yield()
    }

    private func until<R: Sendable>(_ work: Task<R, Never>) async throws -> R {
        let done = Atomic<Bool>(false)
        let watched = Task {
            let result = await work.value
            done.store(true, ordering: .releasing)
            return result
        }
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while !done.load(ordering: .acquiring) {
            guard ContinuousClock.now < deadline else { throw NoReply() }
            try await step()
        }
        return await watched.value
    }

    /// Sends a request over HTTP+JSON, and reads the whole reply.
    func http(
        _ method: String, _ path: String, _ body: JSON = .object([:]), query: [String: String] = [:], version: String? = "1.0",
        principal: Principal? = nil
    ) async throws -> (status: Int, bodies: [JSONView]) {
        let endpoint = endpoint
        return try await until(
            Task {
                let reply = await endpoint.respond(
                    method: method, path: path.split(separator: "/").map { $0.removingPercentEncoding ?? "" }, query: query,
                    body: body.bytes, header: { $0 == "a2a-version" ? version : nil },
                    principal: principal)
                switch reply {
                case .json(let json, let status): return (status, [json.view])
                case .events(let events):
                    var all: [JSONView] = []
                    for await event in events { all.append(event.view) }
                    return (200, all)
                }
            })
    }

    /// Calls an operation by JSON-RPC.
    func rpc(_ operation: String, _ params: JSON, principal: Principal? = nil) async throws -> JSONView {
        let request = JSON.object([
            "jsonrpc": .string("2.0"), "id": .string("1"), "method": .string(operation), "params": params,
        ])
        let reply = try await http("POST", "", request, principal: principal)
        #expect(reply.status == 200)
        return try #require(reply.bodies.last)
    }

    static func message(_ part: JSON, id: String = "m-1", task: String? = nil, context: String? = nil) -> JSON {
        .object([
            "message": .make { writer in
                writer.beginObject()
                writer.member("messageId", id)
                writer.member("role", "ROLE_USER")
                writer.member("taskId", ifPresent: task)
                writer.member("contextId", ifPresent: context)
                writer.member("parts", .array([part]))
                writer.endObject()
            }
        ])
    }

    static func data(_ members: KeyValuePairs<String, JSON>) -> JSON { .object(["data": .object(members)]) }

    static let ride = data(["intent": .string("RequestRide"), "parameters": .object(["dropOff": .string("the airport")])])
    /// Nothing is missing but the agreement to the weight.
    static let parcel = data([
        "intent": .string("SendParcel"), "parameters": .object(["to": .string("Mia"), "weight": .number(3)]),
    ])
    /// Nothing is missing but the agreement.
    static let wholeRide = data([
        "intent": .string("RequestRide"), "parameters": .object(["dropOff": .string("Trinity College"), "ride": .string("Comfort")]),
    ])
}

struct NoReply: Error {}
