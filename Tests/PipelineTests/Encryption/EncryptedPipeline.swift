import Conversation
import IntentEvents
import IntentKit
import IntentModel
import Pipeline
import PipelineTestKit
import RecordEncryption
import RecordLog
import Synchronization

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
    var keys: String? = EncryptedPipeline.keys
    let time = PassingTime()

    var topics: Topics { pipeline.topics }

    init() async throws {
        pipeline = try await TestPipeline(partitions: 1) { invocation, _ in Self.perform(invocation) }
        pipeline.interposer = { [unowned self] name, client in
            self.client(client, makesKeys: name.hasPrefix("coordinator"))
        }
    }

    func client(_ inner: any LogClient, makesKeys: Bool = false) -> any LogClient {
        guard let keys, let parsed = try? EncryptionKeys(parsing: keys) else { return inner }
        return EncryptingClient(inner, topics: topics, keys: parsed, makesKeys: makesKeys) { [time] in time.now() }
    }

    private static func perform(_ invocation: IntentInvocation) -> PhaseOutcome {
        let value = invocation.parameters.first { $0.name == "to" }?.value
        switch invocation.phase {
        case .resolve:
            let resolution =
                value.map { ParameterResolution.success($0) } ?? .needsValue(dialog: "Where to, \(planted)?")
            return .resolved([ResolvedParameter(name: "to", resolution: resolution, memoryKey: "place")])
        case .confirm:
            return .responded(
                IntentResponse(.ready), confirmation: ConfirmationRequest(summary: "To \(value?.description ?? "")?"))
        case .handle:
            var response = IntentResponse(.success)
            response.values = ["at": .string(planted)]
            return .responded(response)
        }
    }

    /// Settles the pipeline 20 times, because a client's own reads and writes of keys start no further round of
    /// `TestPipeline.settle()`.
    func settle() async throws { for _ in 0..<20 { try await pipeline.settle() } }

    /// Crashes the coordinator and the workers, and starts their successors.
    func replaceAll() throws {
        for name in ["coordinator", "resolve", "confirm", "handle"] { pipeline.kill(name) }
        try pipeline.startCoordinator("coordinator-2")
        for phase in Phase.allCases { try pipeline.startWorker("\(phase.rawValue)-2", phase) }
    }

    func request(_ id: Identifier, session: Identifier = "s", to value: String? = planted) throws {
        let parameters = value.map { [ParameterState(name: "to", value: .string($0))] } ?? []
        try pipeline.send(
            .requested(IntentRequest(id: id, intent: "Move", parameters: parameters)), session: session, id: id)
    }

    /// Accepts the newest prompt.
    func agree(_ id: Identifier, session: Identifier = "s") throws {
        guard let prompt = try results(session: session, keys: keys).last(where: { $0.prompt != nil })?.prompt else {
            return
        }
        try pipeline.send(.answered(Answer(prompt: prompt, action: .accept)), session: session, id: id)
    }

    func run(_ id: Identifier, session: Identifier = "s") async throws {
        try request(id, session: session)
        try await settle()
        try agree("\(id)-yes", session: session)
        try await settle()
    }

    /// The results as a process with these keys reads them from the beginning.
    func results(session: Identifier = "s", keys: String? = EncryptedPipeline.keys) throws -> [ReceivedResult] {
        try read(topics.results, keys: keys).compactMap { try? ReceivedResult($0) }.filter { $0.session == session }
    }

    func read(_ topic: String, keys: String?) throws -> [ConsumedRecord] {
        let before = self.keys
        self.keys = keys
        defer { self.keys = before }
        let reader = client(try pipeline.log.connect(ClientConfiguration(clientID: "reader")))
        try reader.read(TopicPartition(topic, 0), from: .beginning)
        var records: [ConsumedRecord] = []
        for _ in 0..<20 {
            for case .read(let record) in try reader.poll(maximum: 1_000, timeout: .zero) { records.append(record) }
        }
        try reader.close(timeout: .zero)
        return records
    }

    /// The topics in which the planted text is readable without keys.
    func readable() -> Set<String> {
        Set(
            topics.all.filter { topic in
                pipeline.log.records(in: topic).contains { record in
                    let bytes = [record.value ?? []] + record.headers.map { $0.value ?? [] } + [record.key ?? []]
                    return bytes.contains { String(decoding: $0, as: UTF8.self).contains(Self.planted) }
                }
            })
    }
}
