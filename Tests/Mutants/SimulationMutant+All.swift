import IntentModel

extension SimulationMutant {
    /// One mutant for each rule.
    public static var all: [SimulationMutant] {
        Rule.allCases.map { rule in
            SimulationMutant(
                name: "\(rule)", history: Rule.histories[rule], exploration: Rule.explorations[rule]
            ) { isBroken in
                Rule.broken = isBroken ? rule : nil
            }
        }
    }
}
