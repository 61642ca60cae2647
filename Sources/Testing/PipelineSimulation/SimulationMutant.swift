/// A pipeline that breaks one of its rules. The simulator must notice the broken rule.
///
/// Rules can be broken only in a copy of the sources, which `deploy/mutants.sh` makes.
public struct SimulationMutant: Sendable {
    /// The name of the broken rule.
    public let name: String
    /// A Boolean value that indicates whether explorations, and not histories, notice the mutant.
    public let isExplored: Bool
    /// Breaks the rule in the whole process, or restores it.
    let setBroken: @Sendable (Bool) -> Void

    /// Plays histories until one breaks a guarantee.
    ///
    /// While a mutant plays, the process must play no other mutant and no other history.
    ///
    /// - Parameter campaign: The histories to play.
    /// - Returns: The histories that broke a guarantee, sorted by seed.
    public func run(_ campaign: SimulationCampaign) async -> [SimulationOutcome] {
        setBroken(true)
        defer { setBroken(false) }
        return await campaign.run().failures
    }

    /// Explores until a promise is broken.
    ///
    /// - Returns: The part of the exploration that notices the broken rule; `nil` if no part does.
    public func explore() -> (part: JournalExploration.Part, outcome: JournalExploration.Outcome)? {
        setBroken(true)
        defer { setBroken(false) }
        for part in JournalExploration.parts {
            let outcome = JournalExploration(part.budget).run()
            if outcome.violation != nil { return (part, outcome) }
        }
        return nil
    }
}
