/// A pipeline that breaks one of its rules. The simulator must notice the broken rule.
///
/// Rules can be broken only in a copy of the sources, which `deploy/mutants.sh` makes.
public struct SimulationMutant: Sendable {
    /// The name of the broken rule.
    public let name: String
    /// The seed of a history that notices the mutant, if one is noted.
    public let history: UInt64?
    /// The part of the exploration that notices the mutant; `nil` if histories notice the mutant.
    public let exploration: String?
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

    /// Explores until a promise is broken, the noted part of the exploration first.
    ///
    /// - Returns: The part of the exploration that notices the broken rule; `nil` if no part does.
    public func explore() -> (part: JournalExploration.Part, outcome: JournalExploration.Outcome)? {
        setBroken(true)
        defer { setBroken(false) }
        let parts = JournalExploration.parts
        for part in parts.filter({ $0.name == exploration }) + parts.filter({ $0.name != exploration }) {
            let outcome = JournalExploration(part.budget).run()
            if outcome.violation != nil { return (part, outcome) }
        }
        return nil
    }
}
