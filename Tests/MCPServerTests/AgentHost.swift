import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentRuntime
import Logging
import PersonGateway
import Pipeline
import PipelineTestKit
import RecordLog
import SampleDomains
import Synchronization
import Testing

@testable import MCPServer

/// A host of an agent on a connection, with a pipeline in memory. Processes run only during calls of the host.
final class AgentHost {
    let pipeline: TestPipeline
    let gateway: Gateway
    let endpoint: MCPEndpoint
    let waits = Waits()
    private let inbox = Inbox()
    private(set) var connection: MCPConnection
    private var numbers = 0
    /// The reply of the host's user to `elicitation/create`; `nil` if the user does not reply.
    var user: (_ params: JSONView) throws -> JSON? = { _ in nil }
    /// The questions to the user.
    private(set) var asked: [JSONView] = []

    static let key = [UInt8](repeating: 7, count: 32)
    static let version = "2026-07-28"

    /// Creates a host.
    ///
    /// - Parameters:
    ///   - pipeline: An existing pipeline; `nil` for a new one that serves rides.
    ///   - change: Changes the settings for agents.
    init(
        _ pipeline: TestPipeline? = nil, trust: InputTrust = .open, principal: Principal? = nil,
        change: (inout AgentSettings) -> Void = { _ in }
    ) async throws {
        if let pipeline { self.pipeline = pipeline } else { self.pipeline = try await Self.rides(trust) }
        let clock = self.pipeline.clock
        gateway = Gateway(
            client: try self.pipeline.log.connect(ClientConfiguration(clientID: "gateway-\(UUID())")),
            topics: self.pipeline.topics,
            partitions: 2, sources: .init(sentEvents: true, deadLetters: false), clock: { clock.now },
            logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        var settings = AgentSettings(key: Self.key)
        change(&settings)
        let waits = waits
        endpoint = MCPEndpoint(
            gateway, clock: AgentClock(now: { clock.now }, sleep: { try await waits.wait($0) }), settings: settings)
        let inbox = inbox
        connection = MCPConnection(endpoint, principal: principal) { inbox.put($0) }
        try await step()
    }

    private static func rides(_ trust: InputTrust) async throws -> TestPipeline {
        let noon = Date(timeIntervalSince1970: 1_803_902_400)
        let rides = RideExtension(book: RideBook(store: SampleStore()), clock: RideClock(now: { noon }))
        return try await serving(try IntentRegistry([rides], dependencies: AppDependencyManager())) {
            $0.configuration.trust = trust
        }
    }

    /// A pipeline that serves parcels: a weight has to be confirmed, and a PIN is secret.
    static func parcels(change: (TestPipeline) -> Void = { _ in }) async throws -> TestPipeline {
        try await serving(try SingleHandlerExtension(handler: SendParcelHandler()).registry(), change: change)
    }

    private static func serving(_ registry: IntentRegistry, change: (TestPipeline) -> Void) async throws -> TestPipeline
    {
        let pipeline = try await TestPipeline(perform: { await registry.perform($0, report: $1) })
        pipeline.policies = { registry.policy(of: $0) }
        change(pipeline)
        try pipeline.startAll()
        try pipeline.startPublisher("publisher", of: registry)
        try await pipeline.settle()
        return pipeline
    }

    /// Runs the pipeline and the gateway until they are idle.
    func step() async throws {
        try await pipeline.settle()
        while try gateway.step(timeout: .zero) {}
        await Task.yield()
    }

    /// Runs everything until a condition holds.
    func until(_ what: String, _ holds: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while try !holds() {
            guard ContinuousClock.now < deadline else {
                throw NeverHappened(what: "\(what); received: \(inbox.all.map(\.description))")
            }
            try await step()
            try answer()
        }
    }

    private func answer() throws {
        for message in inbox.removeQuestions() {
            let params = try #require(message.view["params"])
            asked.append(params)
            guard let result = try user(params) else { continue }
            receive(
                .object(["jsonrpc": .string("2.0"), "id": try #require(message.view["id"]).json, "result": result]))
        }
    }

    func receive(_ message: JSON) { connection.receive(message.bytes) }

    // MARK: Requests

    /// Sends a request without waiting for its reply.
    func begin(_ method: String, _ params: JSON) -> Int {
        numbers += 1
        receive(
            .object(["jsonrpc": .string("2.0"), "id": .number(numbers), "method": .string(method), "params": params]))
        return numbers
    }

    func reply(to id: Int) -> JSONView? { inbox.reply(to: id)?.view }

    /// Sends a request, and runs everything until there is a reply.
    func ask(_ method: String, _ params: JSON) async throws -> JSONView {
        let id = begin(method, params)
        try await until("a reply to \(method)") { reply(to: id) != nil }
        return try #require(reply(to: id))
    }

    /// Agrees on a version with `initialize`.
    func initialize(
        _ version: String = "2025-11-25", elicitation: JSON? = .object(["form": .object([:]), "url": .object([:])])
    )
        async throws
    {
        let capabilities: JSON = elicitation.map { .object(["elicitation": $0]) } ?? .object([:])
        let reply = try await ask(
            "initialize", .object(["protocolVersion": .string(version), "capabilities": capabilities]))
        #expect(reply["result"]?["protocolVersion"]?.string == version)
    }

    /// The parameters of a request without `initialize`.
    static func stateless(_ members: KeyValuePairs<String, JSON>, elicitation: Bool = true, tasks: Bool = false) -> JSON
    {
        let extensions: JSON = tasks ? .object(["io.modelcontextprotocol/tasks": .object([:])]) : .object([:])
        let capabilities: JSON =
            elicitation
            ? .object(["elicitation": .object(["form": .object([:]), "url": .object([:])]), "extensions": extensions])
            : .object(["extensions": extensions])
        return .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.member(
                "_meta",
                .object([
                    "io.modelcontextprotocol/protocolVersion": .string(version),
                    "io.modelcontextprotocol/clientCapabilities": capabilities,
                ]))
            writer.endObject()
        }
    }

    static let ride: JSON = .object(["dropOff": .string("the airport")])
    /// The parameters of a parcel that lacks only the agreement to the weight.
    static let parcel: JSON = .object(["to": .string("Mia"), "weight": .number(3)])
    /// The parameters of a ride that lacks only the agreement.
    static let wholeRide: JSON = .object(["dropOff": .string("Trinity College"), "ride": .string("Comfort")])

    var notifications: [JSONView] { inbox.all.map(\.view).filter { $0["id"] == nil && $0["method"] != nil } }
}

struct NeverHappened: Error, CustomStringConvertible {
    let what: String
    var description: String { "this did not happen in 60 s: \(what)" }
}

/// The messages that were sent to a client.
final class Inbox: Sendable {
    private let messages = Mutex<(all: [JSON], asked: Int)>(([], 0))

    func put(_ message: JSON) { messages.withLock { $0.all.append(message) } }
    var all: [JSON] { messages.withLock(\.all) }

    func reply(to id: Int) -> JSON? { all.first { $0.view["id"]?.int == id && $0.view["method"] == nil } }

    func removeQuestions() -> [JSON] {
        messages.withLock { messages in
            let new = messages.all[messages.asked...].filter { $0.view["method"]?.string == "elicitation/create" }
            messages.asked = messages.all.count
            return new
        }
    }
}

/// Waits that a test ends, independently of time.
final class Waits: Sendable {
    private struct State {
        var waiting: [Int: (duration: Duration, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var last = 0
    }
    private let state = Mutex(State())

    func wait(_ duration: Duration) async throws {
        let number = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOver = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.waiting[number] = (duration, continuation)
                    return false
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: number) }?.continuation.resume(
                throwing: CancellationError())
        }
    }

    var isEmpty: Bool { state.withLock { $0.waiting.isEmpty } }

    /// Ends the waits of this length.
    ///
    /// - Returns: `true` if there was such a wait.
    func end(_ duration: Duration) -> Bool {
        let ended = state.withLock { state in
            let ended = state.waiting.filter { $0.value.duration == duration }
            for number in ended.keys { state.waiting[number] = nil }
            return ended.values.map(\.continuation)
        }
        for continuation in ended { continuation.resume() }
        return !ended.isEmpty
    }
}

extension JSONView {
    /// The `structuredContent` of a tool's result.
    var structured: JSONView? { self["result"]?["structuredContent"] }
    var status: String? { structured?["status"]?.string }
}
