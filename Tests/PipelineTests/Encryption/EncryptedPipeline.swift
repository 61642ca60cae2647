import Conversation
import IntentEvents
import IntentKit
import Pipeline
import PipelineTestKit
import RecordEncryption
import RecordLog
import Synchronization
import Testing

/// A clock that advances by 100 ms with each reading.
final class PassingTime: Sendable {
    private let milliseconds = Mutex<Int64>(1_000_000)

    func now() -> Int64 {
        milliseconds.withLock { time in
            time += 100
            return time
        }
    }

    func advance(by time: Int64) { milliseconds.withLock { $0 += time } }
}

/// A pipeline whose processes encrypt, and a person who decrypts.
///
/// Its only intent, `Move`, asks for a missing `to` and remembers the value.
final class EncryptedPipeline {
    /// The secret text that the tests search for in the log.
    static let planted = "planted-4711"
    static let keys = String(repeating: "0a", count: 32)

    let pipeline: TestPipeline
    /// The text of the key file of new processes; `nil` if they don't encrypt.
    var keys: String?
    let time = PassingTime()

    var topics: Topics { pipeline.topics }
    var log: InMemoryLog { pipeline.log }

    init(keys: String? = EncryptedPipeline.keys, approval: Approval? = nil) async throws {
        self.keys = keys
        pipeline = try await TestPipeline(partitions: 1) { invocation, _ in Self.perform(invocation, approval) }
        pipeline.interposer = { [unowned self] name, client in
            self.client(client, makesKeys: name.hasPrefix("coordinator"))
        }
    }

    /// Starts all processes.
    static func started(keys: String? = EncryptedPipeline.keys) async throws -> EncryptedPipeline {
        let encrypted = try await EncryptedPipeline(keys: keys)
        try encrypted.pipeline.startAll()
        return encrypted
    }

    func client(_ inner: any LogClient, makesKeys: Bool = false) -> any LogClient {
        guard let keys, let parsed = try? EncryptionKeys(parsing: keys) else { return inner }
        return EncryptingClient(inner, topics: topics, keys: parsed, makesKeys: makesKeys) { [time] in time.now() }
    }

    private static func perform(_ invocation: IntentInvocation, _ approval: Approval?) -> PhaseOutcome {
        let value = invocation.parameters.first { $0.name == "to" }?.value
        switch invocation.phase {
        case .resolve:
            let question = ParameterResolution.needsValue(dialog: "Where to, \(planted)?")
            let resolution = value.map { ParameterResolution.success($0) } ?? question
            return .resolved([ResolvedParameter(name: "to", resolution: resolution, memoryKey: "place")])
        case .confirm:
            let confirmation = ConfirmationRequest(summary: "To \(value?.description ?? "")?", approval: approval)
            return .responded(IntentResponse(.ready), confirmation: confirmation)
        case .handle: return .responded(IntentResponse(.success, values: ["at": .string(planted)]))
        }
    }

    /// Settles the pipeline 20 times, because a client's own reads and writes of keys start no further round of
    /// `TestPipeline.settle()`.
    func settle() async throws { for _ in 0..<20 { try await pipeline.settle() } }

    /// Crashes the coordinator and the workers, and starts their successors.
    func replaceAll() async throws {
        for name in ["coordinator", "resolve", "confirm", "handle"] { pipeline.kill(name) }
        try pipeline.startCoordinator("coordinator-2")
        for phase in Phase.allCases { try pipeline.startWorker("\(phase.rawValue)-2", phase) }
        try await settle()
    }

    /// Crashes a coordinator, and starts its successor.
    @discardableResult
    func replaceCoordinator(_ name: String = "coordinator", by successor: String) async throws -> Coordinator {
        let coordinator = try await pipeline.replaceCoordinator(name, by: successor)
        try await settle()
        return coordinator
    }

    func request(_ id: Identifier = "r", session: Identifier = "s", to value: String? = planted) async throws {
        try order(id, session: session, to: value)
        try await settle()
    }

    /// Writes a request. The pipeline does not run.
    func order(_ id: Identifier = "r", session: Identifier, to value: String?) throws {
        let parameters = value.map { [ParameterState.said("to", $0)] } ?? []
        let request = IntentRequest(id: id, intent: "Move", parameters: parameters)
        try pipeline.send(.requested(request), session: session, id: id)
    }

    /// Accepts the newest prompt.
    func agree(session: Identifier = "s") async throws {
        let prompt = try #require(try results(session: session, keys: keys).compactMap(\.prompt).last)
        try await pipeline.deliver(.answered(Answer(prompt: prompt, action: .accept)), session)
        try await settle()
    }

    func run(_ id: Identifier = "r", session: Identifier = "s") async throws {
        try await request(id, session: session)
        try await agree(session: session)
    }

    /// The results as a process with these keys reads them from the beginning.
    func results(session: Identifier = "s", keys: String? = EncryptedPipeline.keys) throws -> [ReceivedResult] {
        try read(\.results, keys: keys).compactMap { try? ReceivedResult($0) }.filter { $0.session == session }
    }

    func read(_ topic: KeyPath<Topics, String>, keys: String? = EncryptedPipeline.keys) throws -> [ConsumedRecord] {
        let before = self.keys
        self.keys = keys
        defer { self.keys = before }
        let reader = client(try log.connect(ClientConfiguration(clientID: "reader")))
        try reader.read(pipeline.place(topic), from: .beginning)
        var records: [ConsumedRecord] = []
        for _ in 0..<20 {
            for case .read(let record) in try reader.poll(maximum: 1_000, timeout: .zero) { records.append(record) }
        }
        try reader.close(timeout: .zero)
        return records
    }

    /// `true` if a record contains the planted text.
    static func isPlanted(_ record: ConsumedRecord) -> Bool {
        let bytes = [record.value ?? []] + record.headers.map { $0.value ?? [] } + [record.key ?? []]
        return bytes.contains { String(decoding: $0, as: UTF8.self).contains(planted) }
    }

    /// The topics in which the planted text is readable without keys.
    func readable() -> Set<String> { Set(topics.all.filter { log.records(in: $0).contains(where: Self.isPlanted) }) }

    /// The ids of the keys that encrypt a session's results.
    func keyIDs(_ session: Identifier = "s") -> Set<String> {
        Set(pipeline.records(\.results).filter { $0.key == Bytes(session.utf8) }.compactMap(KeyRecord.id))
    }
}
