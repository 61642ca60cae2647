public import RecordLog

/// Plays whole conversations on ``InMemoryLog``, with everything going wrong that can, and checks what the pipeline promises.
///
/// The coordinators and workers are the real ones, stepped one after the other on one thread with a clock that stands still, and handlers are run in
/// between: a script makes one history, byte for byte.
public struct Simulation: Sendable {
    /// Put between a process and its client; by name, such as `c1` or `handler2`.
    public typealias Interposer = @Sendable (_ process: String, _ client: any LogClient) -> any LogClient

    /// Whether handlers do nothing under a key under which they have done it. They promise to.
    public var handlersHonourKeys = true
    /// Intents whose handlers may be called once for each request.
    public var atMostOnce: Set<String> = []
    /// Request ids that sessions remember.
    public var rememberedRequests = 64
    /// What tests of the simulator put between a process and the log to see that it is found.
    public var interposer: Interposer?

    /// Whether to write everything down that happens.
    public var isTranscribed = false

    public init() {}

    /// Plays one history to its end.
    public func run(_ script: SimulationScript) async -> SimulationOutcome {
        let world = await SimulationWorld(script, self)
        return world.play()
    }

    /// Leaves out of a failing history what it does not need to fail in the same way.
    ///
    /// - Parameter tries: how many shorter ones are played at most.
    /// - Returns: the shortest one found; the script itself if it does not fail.
    public func shrink(_ script: SimulationScript, tries: Int = 1_000) async -> SimulationOutcome {
        var best = await run(script)
        guard let kind = best.violations.first?.kind else { return best }
        var left = tries
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
