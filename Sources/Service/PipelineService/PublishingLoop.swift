import Conversation
package import IntentEvents
package import Logging
package import Pipeline
package import RecordLog

extension PollLoop {
    /// The loop that says in the catalogue what this process is and serves, compares its clock with the broker's, and watches the clock.
    ///
    /// - Parameters:
    ///   - client: one without a group, that may write and read.
    ///   - withdraws: whether the lease is withdrawn at the end.
    ///   - onChange: registers a function that has the content published again.
    package static func publishing(
        _ content: @escaping @Sendable () -> CataloguePublisher.Content, client: any LogClient, topics: Topics, telemetry: ProcessTelemetry,
        withdraws: Bool = true, logger: Logger, onChange: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) -> PollLoop {
        PollLoop(name: "lease", client: client, health: telemetry.health) { [watch = telemetry.watch] stop, heartbeat in
            let publisher = CataloguePublisher(
                content(), client: client, topics: topics, clock: { watch.clock.now }, logger: logger, onComparison: watch.compared(ahead:))
            onChange { publisher.publish(content()) }
            while !stop.isRequested {
                try publisher.step(timeout: .seconds(1))
                heartbeat.beat()
                try watch.look(logger)
            }
            try publisher.close(timeout: .seconds(5), withdraws: withdraws)
        }
    }
}
