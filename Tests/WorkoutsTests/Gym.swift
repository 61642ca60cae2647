import IntentKit
import IntentRuntime
import SampleData
import Workouts

/// The domain with its own store, and its phases for tests.
struct Gym {
    let registry: IntentRegistry
    private let session: String

    init(locationServices: LocationServices = LocationServices(), session: String = "s") throws {
        let dependencies = DependencyManager()
        dependencies.add(locationServices)
        dependencies.add(WorkoutBook(store: SampleStore()))
        registry = try IntentRegistry([WorkoutsExtension()], dependencies: dependencies)
        self.session = session
    }

    func perform(
        _ phase: Phase, _ intent: String, _ parameters: [ParameterState] = [], key: String = "k", attributes: [String: JSON] = [:],
        isInApp: Bool = false
    ) async -> PhaseOutcome {
        let context = InvocationContext(session: session, request: "r", idempotencyKey: key, attributes: attributes, isInApp: isInApp)
        return await registry.perform(IntentInvocation(phase: phase, intent: intent, parameters: parameters, context: context))
    }

    /// Resolves given parameters of a start, in one round.
    func resolve(_ said: KeyValuePairs<String, String>) async -> [String: ParameterResolution] {
        let states = said.map { ParameterState(name: $0, value: .string($1)) }
        guard case .resolved(let all) = await perform(.resolve, "StartWorkout", states) else { return [:] }
        return Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0.resolution) })
    }

    func respond(
        _ phase: Phase, _ intent: String, _ parameters: KeyValuePairs<String, JSON> = [:], key: String = "k",
        attributes: [String: JSON] = [:], isInApp: Bool = false
    ) async -> IntentResponse? {
        let states = parameters.map { ParameterState(name: $0, value: $1, origin: .resolved) }
        let outcome = await perform(phase, intent, states, key: key, attributes: attributes, isInApp: isInApp)
        guard case .responded(let response, _) = outcome else { return nil }
        return response
    }

    /// Starts a workout.
    @discardableResult
    func start(_ activity: String = "run", key: String = "start", attributes: [String: JSON] = [:]) async -> IntentResponse? {
        await respond(
            .handle, "StartWorkout", ["workoutName": .string(activity), "workoutLocationType": .string("indoor")], key: key,
            attributes: attributes, isInApp: true)
    }
}

extension ParameterResolution {
    var value: JSON? { if case .success(let value) = self { value } else { nil } }
    var options: [String]? { if case .disambiguation(let options, _) = self { options.map(\.id) } else { nil } }
    var reason: String? { if case .unsupported(let reason, _) = self { reason } else { nil } }
}
