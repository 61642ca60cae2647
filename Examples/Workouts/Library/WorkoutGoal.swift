public import IntentKit

/// The goal of a workout: a distance, a time or an energy.
public struct WorkoutGoal: Sendable, Hashable, Codable {
    public var value: Double
    public var unit: WorkoutGoalUnitType

    /// The goal in meters, seconds or joules.
    var size: Double { value * unit.size }

    /// The goal as text, such as "3 miles".
    var text: LocalizedText { "\(value) \(unit)" }
}

/// The unit of a workout's goal (SiriKit: `INWorkoutGoalUnitType`).
public enum WorkoutGoalUnitType: String, AppEnum, Codable {
    case inch, meter, foot, mile, yard, second, minute, hour, joule, kiloCalorie

    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Unit of a goal"
    public static let caseDisplayRepresentations: [WorkoutGoalUnitType: DisplayRepresentation] = [
        .inch: DisplayRepresentation(title: "inches", synonyms: ["inch", "in"]),
        .meter: DisplayRepresentation(title: "meters", synonyms: ["meter", "metre", "metres", "m"]),
        .foot: DisplayRepresentation(title: "feet", synonyms: ["foot", "ft"]),
        .mile: DisplayRepresentation(title: "miles", synonyms: ["mile", "mi"]),
        .yard: DisplayRepresentation(title: "yards", synonyms: ["yard", "yd"]),
        .second: DisplayRepresentation(title: "seconds", synonyms: ["second", "s"]),
        .minute: DisplayRepresentation(title: "minutes", synonyms: ["minute", "min"]),
        .hour: DisplayRepresentation(title: "hours", synonyms: ["hour", "h"]),
        .joule: DisplayRepresentation(title: "joules", synonyms: ["joule", "J"]),
        .kiloCalorie: DisplayRepresentation(title: "kilocalories", synonyms: ["kilocalorie", "calories", "kcal"]),
    ]

    /// The quantity that a unit measures.
    public enum Dimension: Sendable { case distance, time, energy }

    public var dimension: Dimension {
        switch self {
        case .inch, .meter, .foot, .mile, .yard: .distance
        case .second, .minute, .hour: .time
        case .joule, .kiloCalorie: .energy
        }
    }

    /// The unit's size in meters, seconds or joules.
    var size: Double {
        switch self {
        case .meter, .second, .joule: 1
        case .inch: 0.0254
        case .foot: 0.3048
        case .yard: 0.9144
        case .mile: 1_609.344
        case .minute: 60
        case .hour: 3_600
        case .kiloCalorie: 4_184
        }
    }
}
