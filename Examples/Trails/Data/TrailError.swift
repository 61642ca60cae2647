import IntentKit

/// An error that `perform()` throws, with the response that tells the person why an intent about trails failed.
enum TrailError: CustomAppIntentErrorConvertible {
    case noMatchingTrail(ActivityStyle)
    case noGuide(TrailEntity)
    case guideNotAvailable(String, day: String)

    var intentResponse: FailureResponse {
        switch self {
        case .noMatchingTrail(let activity):
            .failure(.failureNoMatchingTrail, dialog: "I know no trail for \(activity.displayText) there.")
        case .noGuide(let trail): .failure(.failureGuideNotAvailable, dialog: "Nobody guides on \(trail.name).")
        case .guideNotAvailable(let guide, let day):
            .failure(.failureGuideNotAvailable, dialog: "Somebody has just booked \(guide) for \(day).")
        }
    }
}

extension ResponseCode {
    /// No trail matches the request.
    static let failureNoMatchingTrail: ResponseCode = "failureNoMatchingTrail"
    /// There is no guide for the trail, or the guide is booked on that day.
    static let failureGuideNotAvailable: ResponseCode = "failureGuideNotAvailable"
}
