extension SimulationMutant {
    /// No mutants. In the copy of the sources that `deploy/mutants.sh` makes, there is one for each rule.
    public static var all: [SimulationMutant] { [] }
}
