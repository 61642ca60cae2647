import IntentModel

/// A pipeline that breaks one of its rules. The simulator must notice the broken rule.
public struct SimulationMutant: Sendable {
    private let rule: Rule

    /// One mutant for each rule; empty unless the build has the condition `BREAKABLE_RULES`, as debug builds do.
    public static var all: [SimulationMutant] {
        Rule.areBreakable ? Rule.allCases.map { SimulationMutant(rule: $0) } : []
    }

    /// The name of the broken rule.
    public var name: String { "\(rule)" }

    /// Rules whose breach shows only if several processes and faults meet in one order. Explorations notice such a
    /// breach, and histories seldom do.
    private static let explored: Set<Rule> = [
        .newestFenceIsForgottenFirst, .recordsInFlightNameResults, .lossesAreConfirmed,
    ]

    /// A Boolean value that indicates whether explorations, and not histories, notice the mutant.
    public var isExplored: Bool { Self.explored.contains(rule) }

    /// Plays histories until one breaks a guarantee.
    ///
    /// While a mutant plays, the process must play no other mutant and no other history.
    ///
    /// - Parameter campaign: The histories to play.
    /// - Returns: The histories that broke a guarantee, sorted by seed.
    public func run(_ campaign: SimulationCampaign) async -> [SimulationOutcome] {
        await rule.breaking { await campaign.run().failures }
    }

    /// Explores until a promise is broken.
    ///
    /// - Returns: The part of the exploration that notices the broken rule; `nil` if no part does.
    public func explore() async -> (part: JournalExploration.Part, outcome: JournalExploration.Outcome)? {
        await rule.breaking {
            for part in JournalExploration.parts {
                let outcome = JournalExploration(part.budget).run()
                if outcome.violation != nil { return (part, outcome) }
            }
            return nil
        }
    }
}
