import PipelineTestKit

/// Plays whole conversations on ``InMemoryLog`` with injected faults, and checks the pipeline's guarantees.
///
/// The coordinators and workers are the real ones. One thread steps them in turn with a manual clock, and runs handlers
/// between the steps. A script therefore always makes the same history, byte for byte.
public struct Simulation: Sendable {
    /// A Boolean value that indicates whether handlers have no second effect under the same idempotency key. Handlers
    /// are required to honour keys.
    public var handlersHonourKeys = true
    /// Intents whose handlers may be called only once per request.
    public var atMostOnce: Set<String> = []

    /// A Boolean value that indicates whether to count the reached stages, events and faults, as
    /// ``SimulationReport/coverage``.
    public var isSurveyed = false
    /// A Boolean value that indicates whether to record a transcript of all events.
    public var isTranscribed = false

    public init() {}

    /// Plays one history to its end.
    public func run(_ script: SimulationScript) async -> SimulationOutcome {
        let world = await SimulationWorld(script, self)
        return world.play()
    }

    /// Removes moves from a failing history while the first violation keeps its kind.
    ///
    /// - Parameter tries: The maximum number of shorter histories to play. Defaults to 1,000, and to fewer if the
    ///   history is dense.
    /// - Returns: The shortest failing history found; the script's own outcome if it does not fail.
    public func shrink(_ script: SimulationScript, tries: Int? = nil) async -> SimulationOutcome {
        var best = await run(script)
        guard let kind = best.violations.first?.kind else { return best }
        var left = tries ?? (script.isDense ? 150 : 1_000)
        var size = max(1, best.script.lines.count / 2)
        while left > 0 {
            var isShorter = false
            var start = 0
            while start < best.script.lines.count, left > 0 {
                var lines = best.script.lines
                lines.removeSubrange(start..<min(lines.count, start + size))
                left -= 1
                let outcome = await run(SimulationScript(seed: script.seed, lines: lines))
                if outcome.violations.first?.kind == kind {
                    best = outcome
                    isShorter = true
                } else {
                    start += size
                }
            }
            if size == 1, !isShorter { break }
            size = max(1, size / 2)
        }
        return best
    }
}
