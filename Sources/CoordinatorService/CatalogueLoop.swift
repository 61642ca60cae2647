import Logging
import Pipeline
import PipelineService
import RecordLog
import ServiceLifecycle

/// Follows the catalogue on a thread of its own, from before this process joins the coordinators until graceful shutdown.
struct CatalogueLoop: Service {
    let client: any LogClient
    let follower: CatalogueFollower
    let logger: Logger

    /// How long the coordinator waits for it. A catalogue that can't be read must not keep people waiting: work then goes to the default service.
    private static let limit: Duration = .seconds(10)

    /// Reads the catalogue to its end, so that the first request is decided with all of it.
    func warmUp() async throws {
        try await PollLoop(name: "catalog", client: client) { [follower, logger] stop in
            let start = ContinuousClock.now
            while !stop.isRequested, !follower.isReady, ContinuousClock.now - start < Self.limit {
                try follower.step(timeout: .milliseconds(100))
            }
            if !stop.isRequested, !follower.isReady {
                logger.warning(
                    "the catalogue is not read to its end in time, going on; until it is, intents that it lacks go to the default service")
            }
        }.run()
    }

    func run() async throws {
        try await PollLoop(name: "catalog", client: client) { [follower] stop in
            while !stop.isRequested { try follower.step(timeout: .seconds(1)) }
            try follower.close(timeout: .seconds(1))
        }.run()
    }

    func close() throws { try follower.close(timeout: .seconds(1)) }
}
