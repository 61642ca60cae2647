import IntentKit

/// The activities to choose from.
public struct WorkoutLibrary: Sendable {
    public let activities: [WorkoutActivity]

    /// Five activities, so that all of them can be offered at once.
    public static let standard: WorkoutLibrary = {
        let (km, hour, kcal) = (1_000.0, 3_600.0, 4_184.0)
        return WorkoutLibrary(activities: [
            WorkoutActivity(
                id: "run", name: "Run", synonyms: ["running", "jog", "jogging"], locations: [.outdoor, .indoor],
                longest: [.distance: 100 * km, .time: 12 * hour, .energy: 5_000 * kcal]),
            WorkoutActivity(
                id: "bike", name: "Bike ride", synonyms: ["cycling", "ride", "bike"], locations: [.outdoor, .indoor],
                longest: [.distance: 300 * km, .time: 12 * hour, .energy: 8_000 * kcal]),
            WorkoutActivity(
                id: "swim", name: "Swim", synonyms: ["swimming"], locations: [.indoor, .outdoor],
                longest: [.distance: 10 * km, .time: 4 * hour]),
            WorkoutActivity(
                id: "hike", name: "Hike", synonyms: ["hiking", "walk"], locations: [.outdoor],
                longest: [.distance: 60 * km, .time: 12 * hour]),
            WorkoutActivity(
                id: "yoga", name: "Yoga", synonyms: ["stretching"], locations: [.indoor], longest: [.time: 3 * hour]),
        ])
    }()
}
