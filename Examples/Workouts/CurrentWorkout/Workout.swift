/// A workout as the book stores it.
public struct Workout: Sendable, Hashable, Codable {
    public enum State: String, Sendable, Codable {
        case active, paused, ended, cancelled

        var isOver: Bool { self == .ended || self == .cancelled }
    }

    /// The activity's identifier.
    public var activity: String
    public var title: String
    public var location: WorkoutLocationType?
    /// The goal; `nil` if the workout is open-ended.
    public var goal: WorkoutGoal?
    public var state = State.active
    /// The state after each change, by idempotency key, so that a repeated change is recognized.
    public var changes: [String: State] = [:]
}
