import IntentKit

/// Why a workout can't be done where the person wants it.
enum StartWorkoutLocationTypeUnsupportedReason: String, UnsupportedReason {
    case indoorUnsupported, outdoorUnsupported

    init(_ location: WorkoutLocationType) {
        switch location {
        case .indoor: self = .indoorUnsupported
        case .outdoor: self = .outdoorUnsupported
        }
    }
}
