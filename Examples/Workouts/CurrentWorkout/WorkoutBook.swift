import IntentKit

/// The last workout of each person, stored so that all phases can read it.
public struct WorkoutBook: Sendable {
    private let store: SampleStore
    private static let collection = "workouts"

    public init(store: SampleStore) { self.store = store }

    /// The person's workout that is under way; `nil` if there is none.
    func current(of athlete: Athlete) throws -> Workout? {
        let last: Workout? = try store.read(athlete.key, in: Self.collection)
        return last?.state.isOver == false ? last : nil
    }

    /// Starts a workout if no other one is under way. A repeated call with the same key changes nothing.
    ///
    /// - Returns: The other workout that is under way; `nil` if this one was started.
    func start(_ workout: Workout, by athlete: Athlete, key: Identifier) throws -> Workout? {
        try store.update(athlete.key, in: Self.collection, as: Workout.self) { last in
            if last?.changes[SampleStore.plain(key.text)] != nil { return nil }
            if let last, !last.state.isOver { return last }
            last = workout
            last?.changes[SampleStore.plain(key.text)] = workout.state
            return nil
        }
    }

    /// Changes the state of a workout. A repeated call with the same key changes nothing.
    ///
    /// - Returns: The changed workout; `nil` if the change applies to no workout.
    func change(_ change: WorkoutChange, by athlete: Athlete, key: Identifier) throws -> Workout? {
        try store.update(athlete.key, in: Self.collection, as: Workout.self) { last in
            guard var workout = last else { return nil }
            if let before = workout.changes[SampleStore.plain(key.text)] {
                workout.state = before
                return workout
            }
            guard change.applies(to: workout) else { return nil }
            workout.state = change.result
            workout.changes[SampleStore.plain(key.text)] = change.result
            last = workout
            return workout
        }
    }
}

/// A change of state of a workout that is under way.
struct WorkoutChange: Sendable {
    /// The activity, if the person has named one.
    var activity: String?
    var from: Set<Workout.State>
    var result: Workout.State

    func applies(to workout: Workout) -> Bool {
        from.contains(workout.state) && (activity ?? workout.activity) == workout.activity
    }
}

/// The owner of a workout: the request's attribute `person`, which defaults to the session's key.
struct Athlete: Sendable {
    let key: String

    init(_ context: Context) { key = context.attributes["person"]?.view.string ?? context.session.text }
}
