import IntentModel

/// A pipeline that breaks one of its rules. The simulator has to notice.
public struct SimulationMutant: Sendable {
    private let rule: Rule

    /// One for each rule; none unless the build has the condition `BREAKABLE_RULES`, as debug builds have it.
    public static var all: [SimulationMutant] { Rule.areBreakable ? Rule.allCases.map { SimulationMutant(rule: $0) } : [] }

    /// The name of the rule that it breaks.
    public var name: String { "\(rule)" }

    /// These take several processes and faults that meet in one order. Explorations notice them, and histories seldom do.
    private static let explored: Set<Rule> = [.newestFenceIsForgottenFirst, .recordsInFlightNameResults, .lossesAreConfirmed]

    /// Whether explorations notice, and not histories.
    public var isExplored: Bool { Self.explored.contains(rule) }

    /// Plays histories until one breaks a guarantee.
    ///
    /// Only one mutant of a process may play at a time, and no other history.
    ///
    /// - Parameter campaign: The histories to play.
    /// - Returns: The histories that broke a guarantee, sorted by seed.
    public func run(_ campaign: SimulationCampaign) async -> [SimulationOutcome] {
        await rule.breaking { await campaign.run().failures }
    }

    /// Explores until a promise is broken.
    ///
    /// - Returns: The part of the exploration that notices; `nil` if none does.
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
