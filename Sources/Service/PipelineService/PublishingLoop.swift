import Conversation
package import IntentEvents
package import Logging
package import Pipeline
package import RecordLog

extension PollLoop {
    /// Returns the loop that publishes this process's lease and intents in the catalogue, compares the process's clock
    /// with the broker's, and monitors the clock.
    ///
    /// - Parameters:
    ///   - client: A client without a group that may write and read.
    ///   - everySecond: Called once a second, by a thread that may wait for the client; `true` publishes the content
    ///     again, if it has changed.
    ///   - withdraws: `true` withdraws the lease at the end.
    ///   - onChange: Registers a function that publishes the content again.
    package static func publishing(
        _ content: @escaping @Sendable () -> CataloguePublisher.Content, client: any LogClient, topics: Topics,
        telemetry: ProcessTelemetry, everySecond: @escaping @Sendable (any LogClient) -> Bool = { _ in false },
        withdraws: Bool = true, logger: Logger,
        onChange: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { _ in }
    ) -> PollLoop {
        PollLoop(name: "lease", client: client, health: telemetry.health) { [watch = telemetry.watch] stop, heartbeat in
            let publisher = CataloguePublisher(
                content(), client: client, topics: topics, clock: { watch.clock.now }, logger: logger,
                onComparison: watch.recordComparison(ahead:))
            onChange { publisher.publish(content()) }
            var second = EverySecond()
            while !stop.isRequested {
                if second.fireIfDue(), everySecond(client) { publisher.publish(content()) }
                try publisher.step(timeout: .seconds(1))
                heartbeat.beat()
                try watch.check(logger)
            }
            try publisher.close(timeout: .seconds(5), withdraws: withdraws)
        }
    }
}
