import IntentModel

extension SimulationMutant {
    /// One mutant for each rule.
    public static var all: [SimulationMutant] {
        Rule.allCases.map { rule in
            SimulationMutant(name: "\(rule)", isExplored: Rule.explored.contains(rule)) { isBroken in
                Rule.broken = isBroken ? rule : nil
            }
        }
    }
}
