import IntentKit
import IntentRuntime
import PipelineTestKit
import SampleDomains

/// The workouts domain with its own store for each test.
struct WorkoutsFixture {
    let registry: IntentRegistry

    init(locationServices: LocationServices = LocationServices()) throws {
        let workouts = WorkoutsExtension(book: WorkoutBook(store: SampleStore()), locationServices: locationServices)
        registry = try IntentRegistry([workouts], dependencies: AppDependencyManager())
    }

    /// Resolves the given parameters of a start, in one round.
    func resolve(_ said: KeyValuePairs<String, String>) async throws -> [String: ParameterResolution] {
        let all = try await registry.resolve("StartWorkout", .said(said))
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.resolution) })
    }

    /// Starts a workout.
    @discardableResult
    func start(
        _ activity: String = "run", idempotencyKey: String = "start", attributes: [String: JSON] = [:]
    ) async throws -> IntentResponse {
        try await registry.respond(
            .handle, "StartWorkout",
            .resolved(["workoutName": .string(activity), "workoutLocationType": .string("indoor")]),
            idempotencyKey: Identifier(idempotencyKey), isInApp: true, attributes: attributes)
    }
}
