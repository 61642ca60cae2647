public import IntentModel

/// An intent that a person may have meant, as a recogniser outside of the pipeline understands their words.
public struct IntentCandidate: Sendable, Hashable {
    public var intent: Identifier
    /// How sure the recogniser is, from 0 to 1.
    public var confidence: Double
    /// The intent in words, if the person is asked. Defaults to its name.
    public var title: String?
    public var parameters: [ParameterState]
    /// Which workers get its work, if it is the one; `nil` for those of the default service.
    public var route: IntentRoute?

    public init(intent: Identifier, confidence: Double, title: String? = nil, parameters: [ParameterState] = []) {
        self.intent = intent
        self.confidence = confidence
        self.title = title
        self.parameters = parameters
    }

    /// How many a request may have.
    public static let maximumCount = 16
    /// Candidates below it are not considered.
    public static let minimumConfidence = 0.3
    /// Candidates that are no further than this behind the first are near: the person is asked which one they mean.
    public static let nearness = 0.15
}

/// What a request with candidates leads to.
enum CandidateChoice: Hashable {
    /// One candidate is clearly the best.
    case clear(IntentCandidate)
    /// The person is asked which of these they mean, the best first.
    case near([IntentCandidate])
    /// None is likely enough.
    case none

    init(among candidates: [IntentCandidate]) {
        // The recogniser's order counts among equals.
        let likely = candidates.enumerated().filter { $0.element.confidence >= IntentCandidate.minimumConfidence }
            .sorted { ($1.element.confidence, $0.offset) < ($0.element.confidence, $1.offset) }.map(\.element)
        guard let best = likely.first else {
            self = .none
            return
        }
        let near = likely.filter { $0.confidence >= best.confidence - IntentCandidate.nearness }
        self = near.count == 1 ? .clear(best) : .near(near)
    }
}
