public import IntentKit

/// A kind of workout, such as a run. SiriKit has only the name of a workout (`INSpeakableString`).
public struct WorkoutActivity: AppEntity {
    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Workout"
    public static let defaultQuery = WorkoutActivityQuery()

    public let id: String
    public let name: String
    let synonyms: [LocalizedText]
    let locations: [WorkoutLocationType]
    /// The largest goal of each kind, in meters, seconds or joules. The activity has no goals of other kinds.
    let longest: [WorkoutGoalUnitType.Dimension: Double]

    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(key: name), synonyms: synonyms)
    }

    /// The units to offer to a person who gave only a number.
    var goalUnits: [WorkoutGoalUnitType] { [.meter, .mile, .minute, .hour, .kiloCalorie].filter(supportsGoal(in:)) }

    func supportsGoal(in unit: WorkoutGoalUnitType) -> Bool { longest[unit.dimension] != nil }

    func reaches(_ goal: WorkoutGoal) -> Bool { longest[goal.unit.dimension].map { goal.size <= $0 } ?? false }
}

/// Finds activities in the library. There are few activities, so the query lists all of them.
public struct WorkoutActivityQuery: EnumerableEntityQuery {
    @Dependency var library: WorkoutLibrary

    public init() {}
    public func allEntities() async throws -> [WorkoutActivity] { library.activities }
}
