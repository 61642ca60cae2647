public import SampleData

/// Everybody's last workout, kept where all phases find it.
public struct WorkoutBook: Sendable {
    private let store: SampleStore
    private static let collection = "workouts"

    public init(store: SampleStore) { self.store = store }

    /// The one that is not over.
    func current(of athlete: Athlete) throws -> Workout? {
        let last: Workout? = try store.read(athlete.key, in: Self.collection)
        return last?.state.isOver == false ? last : nil
    }

    /// Starts a workout, unless another one is under way. To start it again with the same key changes nothing.
    ///
    /// - Returns: The other one.
    func start(_ workout: Workout, by athlete: Athlete, key: String) throws -> Workout? {
        try store.update(athlete.key, in: Self.collection, as: Workout.self) { last in
            if last?.changes[key] != nil { return nil }
            if let last, !last.state.isOver { return last }
            last = workout
            last?.changes[key] = workout.state
            return nil
        }
    }

    /// Brings a workout from one state into another. To do it again with the same key changes nothing.
    ///
    /// - Returns: The changed workout; `nil` if there is none that this can be done to.
    func change(_ change: WorkoutChange, by athlete: Athlete, key: String) throws -> Workout? {
        try store.update(athlete.key, in: Self.collection, as: Workout.self) { last in
            guard var workout = last else { return nil }
            if let before = workout.changes[key] {
                workout.state = before
                return workout
            }
            guard change.applies(to: workout) else { return nil }
            workout.state = change.result
            workout.changes[key] = change.result
            last = workout
            return workout
        }
    }
}

/// What is done to a workout that is under way.
struct WorkoutChange: Sendable {
    /// The activity, if the person has named one.
    var activity: String?
    var from: Set<Workout.State>
    var result: Workout.State

    func applies(to workout: Workout) -> Bool {
        from.contains(workout.state) && (activity ?? workout.activity) == workout.activity
    }
}
