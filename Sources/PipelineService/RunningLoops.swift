import ArgumentParser
import Logging
import ServiceLifecycle
import UnixSignals

/// Runs loops until SIGTERM or SIGINT, or until one of them fails, which ends the others.
///
/// - Parameter services: run beside the loops and end after them, the last one first.
/// - Throws: ``ArgumentParser/ExitCode/failed`` if one has failed, after it has logged why.
func runLoops(_ loops: [PollLoop], beside services: [any Service] = [], logger: Logger) async throws {
    let group = ServiceGroup(
        configuration: .init(
            services: (services + [LoopsTogether(loops: loops)]).map {
                .init(service: $0, successTerminationBehavior: .gracefullyShutdownGroup, failureTerminationBehavior: .cancelGroup)
            },
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
    do { try await group.run() } catch {
        logger.critical("\(error)")
        throw ExitCode.failed
    }
}

/// Several loops as one service: asked to end, they finish what they have begun at the same time, not one after the other.
private struct LoopsTogether: Service {
    let loops: [PollLoop]

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for loop in loops { group.addTask { try await loop.run() } }
            try await group.waitForAll()
        }
    }
}
