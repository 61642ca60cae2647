import ArgumentParser
import Foundation
package import Logging
import RecordLog
package import ServiceLifecycle
import UnixSignals

/// Runs services and their telemetry until SIGTERM or SIGINT, or until one of them fails, which ends the others. They
/// end in reverse order.
///
/// - Throws: ``ArgumentParser/ExitCode/failed`` if a service has failed, after logging the reason.
package func runServices(_ services: [any Service], telemetry: ProcessTelemetry, logger: Logger) async throws {
    let services = telemetry.services + [PoolPulse(health: telemetry.health)] + services
    var configuration = ServiceGroupConfiguration(
        services: services.map {
            .init(
                service: NamedService(service: $0), successTerminationBehavior: .gracefullyShutdownGroup,
                failureTerminationBehavior: .cancelGroup)
        },
        gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
    // Loops close within 15 s. Services that hang longer must not outlast an orchestrator's patience: other processes
    // repeat their work.
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

/// A service that is logged by its type alone. The service group logs services with all their properties, including
/// secrets.
private struct NamedService: Service, CustomStringConvertible {
    let service: any Service
    var description: String { "\(type(of: service))" }
    func run() async throws { try await service.run() }
}

/// Runs several loops concurrently. On graceful shutdown, they finish their work at the same time, not one after the
/// other. If one fails, the others end too.
///
/// - Parameters:
///   - first: The loops that begin immediately. One of them compares the process's clock with the broker's.
///   - members: The members of consumer groups. They begin when the clock is right.
package func runTogether(_ first: [any Service], _ watch: ClockWatch, logger: Logger, then members: [PollLoop])
    async throws
{
    try await withThrowingTaskGroup(of: Void.self) { group in
        for loop in first { group.addTask { try await loop.run() } }
        group.addTask {
            guard await watch.waitUntilRight(logger) else { return }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for loop in members { group.addTask { try await loop.run() } }
                for try await _ in group {}
            }
        }
        // 'waitForAll' would wait for loops that nothing ends.
        for try await _ in group {}
    }
}
