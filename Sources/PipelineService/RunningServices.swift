import ArgumentParser
import Foundation
package import Logging
import RecordLog
package import ServiceLifecycle
import UnixSignals

/// Runs services, and what tells of them, until SIGTERM or SIGINT, or until one of them fails, which ends the others. They end in reverse order.
///
/// - Throws: ``ArgumentParser/ExitCode/failed`` if one has failed, after logging the reason.
package func runServices(_ services: [any Service], telemetry: ProcessTelemetry, logger: Logger) async throws {
    let services = telemetry.services + [PoolPulse(health: telemetry.health)] + services
    var configuration = ServiceGroupConfiguration(
        services: services.map {
            .init(
                service: NamedService(service: $0), successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .cancelGroup)
        },
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // Loops close within 15 s. What hangs beyond that must not outlast an orchestrator's patience: its work is repeated elsewhere.
    configuration.maximumGracefulShutdownDuration = ForcedEnding.limit
    configuration.maximumCancellationDuration = .seconds(5)
    let group = ServiceGroup(configuration: configuration)
    let forced = ForcedEnding(health: telemetry.health, logger: logger)
    let signals = forced.watch([SIGTERM, SIGINT])
    defer { for signal in signals { signal.cancel() } }
    do { try await group.run() } catch {
        logger.critical("\((error as? LogError)?.message ?? "\(error)")")
        throw ExitCode.failed
    }
}

/// A service that is logged by its type alone. The group logs services with everything in them, secrets included.
private struct NamedService: Service, CustomStringConvertible {
    let service: any Service
    var description: String { "\(type(of: service))" }
    func run() async throws { try await service.run() }
}

/// Runs several loops concurrently. On graceful shutdown they finish their work at the same time, not one after the other. If one fails, the others end, too.
package func runTogether(_ loops: [PollLoop]) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
        for loop in loops { group.addTask { try await loop.run() } }
        // 'waitForAll' would wait for loops that nothing ends.
        for try await _ in group {}
    }
}
