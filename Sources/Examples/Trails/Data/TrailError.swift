import IntentKit

/// Why an intent about trails can't be done, as an error that `perform()` throws and the person is told.
enum TrailError: CustomIntentErrorConvertible {
    case noMatchingTrail(ActivityStyle)
    case noGuide(TrailEntity)
    case guideNotAvailable(String, day: String)

    var intentResponse: IntentResponse {
        switch self {
        case .noMatchingTrail(let activity): .failure(.failureNoMatchingTrail, dialog: "I know no trail for \(activity.displayText) there.")
        case .noGuide(let trail): .failure(.failureGuideNotAvailable, dialog: "Nobody guides on \(trail.name).")
        case .guideNotAvailable(let guide, let day):
            .failure(.failureGuideNotAvailable, dialog: "Somebody has just booked \(guide) for \(day).")
        }
    }
}

extension ResponseCode {
    /// No trail is as it was asked for.
    static let failureNoMatchingTrail: ResponseCode = "failureNoMatchingTrail"
    /// There is no guide there, or somebody else has taken the day.
    static let failureGuideNotAvailable: ResponseCode = "failureGuideNotAvailable"
}
