import Logging
import Pipeline
import PipelineService
import RecordLog
import ServiceLifecycle

/// Follows partitions of other coordinators on its own thread, from before this process joins their group until
/// graceful shutdown.
struct StandbyLoop: Service {
    let client: any LogClient
    let standby: Standby
    /// The time limit of ``warmUp()``.
    let limit: Duration
    let health: Health
    let logger: Logger

    /// Reads the journals to their ends, so that the state of newly assigned partitions is known. Meanwhile, the other
    /// coordinators serve all partitions.
    func warmUp() async throws {
        try await PollLoop(name: "standby", client: client, health: health) {
            [standby, limit, logger] stop, heartbeat in
            let start = ContinuousClock.now
            var lastReport = start
            while !stop.isRequested, !standby.isReady, ContinuousClock.now - start < limit {
                try standby.step(timeout: .milliseconds(100))
                heartbeat.beat()
                if ContinuousClock.now - lastReport >= .seconds(2) {
                    lastReport = .now
                    logger.info(
                        "reading journals before joining the group", metadata: .progress(standby.progress, since: start)
                    )
                }
            }
            let progress = Logger.Metadata.progress(standby.progress, since: start)
            if standby.isReady {
                logger.info("journals are read, joining the group", metadata: progress)
            } else if !stop.isRequested {
                logger.warning(
                    "journals are not read to their ends in time, joining the group: see --warm-up", metadata: progress)
            }
        }.run()
    }

    func run() async throws {
        try await PollLoop(name: "standby", client: client, health: health) { [standby] stop, heartbeat in
            while !stop.isRequested {
                try standby.step(timeout: .seconds(1))
                heartbeat.beat()
            }
            try standby.close(timeout: .seconds(1))
        }.run()
    }

    func close() throws { try standby.close(timeout: .seconds(1)) }
}

extension Logger.Metadata {
    fileprivate static func progress(_ progress: Standby.Progress, since start: ContinuousClock.Instant)
        -> Logger.Metadata
    {
        [
            "ready": "\(progress.ready) of \(progress.partitions)", "sessions": "\(progress.sessions)",
            "offsets": "\(progress.offsets)",
            "seconds": "\((ContinuousClock.now - start).components.seconds)",
        ]
    }
}
