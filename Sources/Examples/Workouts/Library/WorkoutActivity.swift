public import IntentKit

/// A kind of workout, such as a run: what SiriKit knows by its name alone (`INSpeakableString`).
public struct WorkoutActivity: AppEntity {
    public static let typeDisplayRepresentation: TypeDisplayRepresentation = "Workout"
    public static let defaultQuery = WorkoutActivityQuery()

    public let id: String
    public let name: String
    let synonyms: [LocalizedText]
    let locations: [WorkoutLocationType]
    /// The longest there is, in meters, seconds or joules. Goals of other kinds are not kept.
    let longest: [WorkoutGoalUnitType.Dimension: Double]

    public var displayRepresentation: DisplayRepresentation {
        DisplayRepresentation(title: LocalizedText(key: name), synonyms: synonyms)
    }

    /// What is offered to a person who has said a number only.
    var goalUnits: [WorkoutGoalUnitType] { [.meter, .mile, .minute, .hour, .kiloCalorie].filter(keepsGoal(in:)) }

    func keepsGoal(in unit: WorkoutGoalUnitType) -> Bool { longest[unit.dimension] != nil }

    func reaches(_ goal: WorkoutGoal) -> Bool { longest[goal.unit.dimension].map { goal.size <= $0 } ?? false }
}

/// Finds the activities of the library, which are few.
public struct WorkoutActivityQuery: EnumerableEntityQuery {
    @Dependency var library: WorkoutLibrary

    public init() {}
    public func allEntities() async throws -> [WorkoutActivity] { library.activities }
}
