import Logging
import PipelineTestKit
import RecordLog

/// A logger without output.
let quiet = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

/// A log handler that records each entry as a line: its level and its message.
struct LineHandler: LogHandler {
    let lines: Recorder<String>
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    init(_ lines: Recorder<String>) { self.lines = lines }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: Logging.LogEvent) {
        lines.record("\(event.level) \(event.message)" + (event.metadata.map { " \($0)" } ?? ""))
    }
}

/// A log that rejects administrative requests with an error.
struct UnwillingLog: LogCluster {
    private let log: InMemoryLog
    private let code: LogError.Code

    init(_ log: InMemoryLog, _ code: LogError.Code) { (self.log, self.code) = (log, code) }

    private var error: LogError { LogError(code, "\(code.rawValue) by the test") }

    func connect(_ configuration: ClientConfiguration) throws(LogError) -> any LogClient {
        try log.connect(configuration)
    }
    func createTopics(_ topics: [TopicSpecification]) async throws(LogError) { throw error }
    func topics() async throws(LogError) -> [TopicDescription] {
        if code == .disconnected { throw error }
        return try await log.topics()
    }
    func configurations(of topics: [String]) async throws(LogError) -> [String: [String: String]] { throw error }
    func committed(by group: String, _ partitions: [TopicPartition]) async throws(LogError) -> [TopicPartition:
        CommittedOffset]
    { throw error }
    func members(of group: String) async throws(LogError) -> [GroupMember] { throw error }
}

extension LogCluster {
    /// Writes records, and waits until they are acknowledged.
    func write(_ records: Record...) throws {
        let client = try connect(ClientConfiguration(clientID: "writer"))
        for record in records { try client.send(record, token: 0) }
        _ = try client.poll(maximum: 1_000, timeout: .zero)
        try client.close(timeout: .zero)
    }
}
