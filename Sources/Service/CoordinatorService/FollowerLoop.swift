import Logging
import Pipeline
import PipelineService
import RecordLog
import ServiceLifecycle

/// Follows a topic on its own thread, from before this process joins the coordinators until graceful shutdown.
struct FollowerLoop: Service {
    let name: String
    let client: any LogClient
    let follower: any TopicFollower
    /// The message to the operator if the topic is not read in time.
    let warning: String
    let health: Health
    let logger: Logger

    /// The time limit of ``warmUp()``. A topic that can't be read must not keep people waiting.
    private static let limit: Duration = .seconds(10)

    /// Reads the topic to its end, so that the first request is decided with the whole topic.
    func warmUp() async throws {
        try await PollLoop(name: name, client: client, health: health) { [follower, warning, logger] stop, heartbeat in
            let start = ContinuousClock.now
            while !stop.isRequested, !follower.isReady, ContinuousClock.now - start < Self.limit {
                try follower.step(timeout: .milliseconds(100))
                heartbeat.beat()
            }
            if !stop.isRequested, !follower.isReady { logger.warning("\(warning)") }
        }.run()
    }

    func run() async throws {
        try await PollLoop(name: name, client: client, health: health) { [follower] stop, heartbeat in
            while !stop.isRequested {
                try follower.step(timeout: .seconds(1))
                heartbeat.beat()
            }
            try follower.close(timeout: .seconds(1))
        }.run()
    }

    func close() throws { try follower.close(timeout: .seconds(1)) }
}
