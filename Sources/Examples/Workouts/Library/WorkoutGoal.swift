import IntentKit

/// How far, how long or how hard.
public struct WorkoutGoal: Sendable, Hashable, Codable {
    public var value: Double
    public var unit: WorkoutGoalUnitType

    /// In meters, seconds or joules.
    var size: Double { value * unit.size }

    /// Such as "3 miles".
    var text: LocalizedText { "\(value) \(unit)" }
}
