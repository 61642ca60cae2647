import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentModel
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
    private let inbox = Recorder<JSON>()
    private var answeredMessages = 0
    private(set) var connection: MCPConnection
    private var numbers = 0
    /// The reply of the host's user to `elicitation/create`; `nil` if the user does not reply.
    var user: (_ params: JSONView) throws -> JSON? = { _ in nil }
    /// The questions to the user.
    private(set) var asked: [JSONView] = []

    static let key = [UInt8](repeating: 7, count: 32)
    static let version = "2026-07-28"

    /// Creates a host with changed settings for agents, and a new pipeline that serves rides if there is no other one.
    init(
        _ pipeline: TestPipeline? = nil, trust: InputTrust = .open, principal: Principal? = nil,
        change: (inout AgentSettings) -> Void = { _ in }
    ) async throws {
        if let pipeline { self.pipeline = pipeline } else { self.pipeline = try await Self.rides(trust) }
        let clock = self.pipeline.clock
        gateway = Gateway(
            client: try self.pipeline.log.connect(ClientConfiguration(clientID: "gateway-\(UUID())")),
            topics: self.pipeline.topics, partitions: 2, sources: .init(sentEvents: true, deadLetters: false),
            clock: { clock.now }, logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
        var settings = AgentSettings(key: Self.key)
        change(&settings)
        let waits = waits
        endpoint = MCPEndpoint(
            gateway, clock: AgentClock(now: { clock.now }, sleep: { try await waits.wait($0) }), settings: settings)
        let inbox = inbox
        connection = MCPConnection(endpoint, principal: principal) { inbox.record($0) }
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

    /// Settings with which the person agrees on their page in the console.
    static func agreementByPerson(_ settings: inout AgentSettings) {
        (settings.agreement, settings.consoleURL) = (.person, "https://console.example")
    }

    /// Runs the pipeline and the gateway until they are idle.
    func step() async throws {
        try await pipeline.settle()
        while try gateway.step(timeout: .zero) {}
        await Task.yield()
    }

    /// Runs everything until a condition holds.
    func until(_ what: String, _ holds: () throws -> Bool) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(180))
        while try !holds() {
            guard ContinuousClock.now < deadline else {
                throw NeverHappened(what: "\(what); received: \(inbox.all.map(\.description))")
            }
            try await step()
            try answer()
        }
    }

    private func answer() throws {
        let messages = inbox.all
        let new = messages[answeredMessages...].filter { $0.view["method"]?.string == "elicitation/create" }
        answeredMessages = messages.count
        for message in new {
            let params = try #require(message.view["params"])
            asked.append(params)
            guard let result = try user(params) else { continue }
            receive(["jsonrpc": "2.0", "id": try #require(message.view["id"]).json, "result": result])
        }
    }

    func receive(_ message: JSON) { connection.receive(message.bytes) }

    // MARK: Requests

    /// Sends a request without waiting for its reply.
    func begin(_ method: String, _ params: JSON) -> Int {
        numbers += 1
        receive(["jsonrpc": "2.0", "id": .number(numbers), "method": .string(method), "params": params])
        return numbers
    }

    func reply(to id: Int) -> JSONView? { inbox.reply(to: id) }

    /// Runs everything until there is a reply to a request.
    func untilReply(to id: Int) async throws -> JSONView {
        try await until("a reply to request \(id)") { reply(to: id) != nil }
        return try #require(reply(to: id))
    }

    /// Sends a request, and runs everything until there is a reply.
    func ask(_ method: String, _ params: JSON) async throws -> JSONView {
        try await untilReply(to: begin(method, params))
    }

    /// Agrees on a version with `initialize`. `elicitation` has the forms that the host can show to its user, if any.
    @discardableResult
    func initialize(_ version: String = "2025-11-25", elicitation: JSON? = AgentHost.forms) async throws -> AgentHost {
        let capabilities: JSON = elicitation.map { ["elicitation": $0] } ?? [:]
        let reply = try await ask("initialize", ["protocolVersion": .string(version), "capabilities": capabilities])
        #expect(reply["result"]?["protocolVersion"]?.string == version)
        return self
    }

    func begin(tool: String, _ arguments: JSON = AgentHost.ride) -> Int {
        begin("tools/call", ["name": .string(tool), "arguments": arguments])
    }

    func call(_ tool: String = "RequestRide", _ arguments: JSON = AgentHost.ride, meta: JSON? = nil) async throws
        -> JSONView
    {
        var params: [(String, JSON)] = [("name", .string(tool)), ("arguments", arguments)]
        if let meta { params.append(("_meta", meta)) }
        return try await ask("tools/call", JSON(params))
    }

    /// The parameters of a request without `initialize`.
    static func stateless(_ members: KeyValuePairs<String, JSON>, tasks: Bool = false) -> JSON {
        let extensions: JSON = tasks ? ["io.modelcontextprotocol/tasks": [:]] : [:]
        let meta: JSON = [
            "io.modelcontextprotocol/protocolVersion": .string(version),
            "io.modelcontextprotocol/clientCapabilities": ["elicitation": forms, "extensions": extensions],
        ]
        return JSON(members.map { ($0.key, $0.value) } + [("_meta", meta)])
    }

    private static let forms: JSON = ["form": [:], "url": [:]]
    static let ride: JSON = ["dropOff": "the airport"]
    /// The parameters of a parcel that lacks only the agreement to the weight.
    static let parcel: JSON = ["to": "Mia", "weight": 3]
    /// The parameters of a ride that lacks only the agreement.
    static let wholeRide: JSON = ["dropOff": "Trinity College", "ride": "Comfort"]

    // MARK: What has happened

    func hasNotification(_ method: String) -> Bool { notification(method) != nil }
    func notification(_ method: String) -> JSONView? {
        inbox.all.map(\.view).first { $0["id"] == nil && $0["method"]?.string == method }
    }
    /// The number of events in the topic of requests.
    var requestCount: Int { pipeline.log.records(in: pipeline.topics.requests).count }
    /// `true` if no handler has been called.
    var hasHandledNothing: Bool { pipeline.log.records(in: pipeline.topics.handle).isEmpty }
    /// The status of the last completion; `nil` if there is none.
    var completion: String? {
        get throws { try pipeline.results().last { $0.type == .completed }?.data["status"]?.string }
    }

    /// Agrees to the open prompt of a session, as the person's page does.
    func agree(in session: String) throws {
        let session = Identifier(session)
        let prompt = try #require(try pipeline.results(session: session).last { $0.prompt != nil }?.prompt)
        let yes = SessionEvent.answered(Answer(prompt: prompt, action: .accept))
        try pipeline.send(yes, session: session, id: "yes", to: pipeline.topics.answers)
    }
}

struct NeverHappened: Error, CustomStringConvertible {
    let what: String
    var description: String { "this did not happen in 60 s: \(what)" }
}

extension Recorder<JSON> {
    /// The reply to a request among the messages to a client.
    func reply(to id: Int) -> JSONView? { all.map(\.view).first { $0["id"]?.int == id && $0["method"] == nil } }
}

/// Waits that a test ends, independently of time.
final class Waits: Sendable {
    private let gates = Mutex<[Duration: Gate]>([:])

    /// The gate of the waits of this length.
    private func gate(_ duration: Duration) -> Gate {
        gates.withLock { gates in
            let gate = gates[duration] ?? Gate()
            gates[duration] = gate
            return gate
        }
    }

    func wait(_ duration: Duration) async throws { try await gate(duration).pass() }

    var isEmpty: Bool { gates.withLock { $0.values.allSatisfy { $0.count == 0 } } }

    /// Ends the waits of this length. Returns `true` if there was such a wait.
    func end(_ duration: Duration) -> Bool {
        let gate = gate(duration)
        defer { gate.letThrough() }
        return gate.count > 0
    }
}

extension JSON {
    /// The reply of a host's user who agrees.
    static let accepted: JSON = ["action": "accept", "content": [:]]
}

extension JSONView {
    /// The `structuredContent` of a tool's result.
    var structured: JSONView? { self["result"]?["structuredContent"] }
    var status: String? { structured?["status"]?.string }
    var resultType: String? { self["result"]?["resultType"]?.string }
    var isError: Bool? { self["result"]?["isError"]?.bool }
    var errorCode: Int? { self["error"]?["code"]?.int }
    var handle: JSON { get throws { try #require(structured?["handle"]).json } }
    /// The first field of a form.
    var field: (name: String, value: JSONView)? { self["requestedSchema"]?["properties"]?.members.first }
    /// The first option of a field.
    var firstOption: JSON? { (self["oneOf"]?.elements.first?["const"] ?? self["enum"]?.elements.first)?.json }

    /// `true` if the tool's result is an error with this text.
    func isError(_ text: String) -> Bool { isError == true && structured?["message"]?.string?.contains(text) == true }
}
