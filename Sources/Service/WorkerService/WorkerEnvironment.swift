package import IntentEvents
public import Logging
package import PipelineService
import RDKafkaLog
package import RecordLog

/// The process in which an ``IntentSource`` is opened.
public struct WorkerEnvironment: Sendable {
    let process: ProcessOptions
    package let telemetry: ProcessTelemetry
    /// The roles of the worker.
    public let roles: [WorkerRole]
    public let logger: Logger

    init(process: ProcessOptions, telemetry: ProcessTelemetry, roles: [WorkerRole], logger: Logger) {
        self.process = process
        self.telemetry = telemetry
        self.roles = roles
        self.logger = logger
    }

    /// The name of this process in `ce_source` and in logs.
    public var instance: String { process.name }
    package var topics: Topics { process.kafka.topics }

    /// Connects a client of the log for a service that runs beside the worker.
    package func connect(clientID: String) throws -> any LogClient {
        let log = try process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        return try process.kafka.encryption(logger: logger).client(
            try log.connect(ClientConfiguration(clientID: clientID)))
    }
}
