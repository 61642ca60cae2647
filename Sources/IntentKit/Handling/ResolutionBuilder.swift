@resultBuilder
public enum ResolutionBuilder<IntentType: Intent> {
    public static func buildExpression<Value>(_ step: Resolve<IntentType, Value>) -> ResolutionSteps<IntentType> { step.steps }

    public static func buildBlock(_ steps: ResolutionSteps<IntentType>...) -> ResolutionSteps<IntentType> {
        if steps.count == 1 { return steps[0] }
        var all: [any ResolutionStep<IntentType>] = []
        all.reserveCapacity(steps.count)
        for index in 0..<steps.count { all += steps[index].all }
        return ResolutionSteps(all: all)
    }
}
