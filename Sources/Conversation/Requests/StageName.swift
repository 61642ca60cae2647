/// A request's place in its life, by name.
public enum StageName: String, Sendable, Hashable, CaseIterable {
    /// Accepted, not begun.
    case queued
    case resolving, awaitingAnswer, confirming, awaitingConfirmation, handling, inProgress, handedOff
    /// Completed, in any way.
    case ended
}

extension ActiveRequest.Stage {
    public var name: StageName {
        switch self {
        case .resolving: .resolving
        case .awaitingAnswer: .awaitingAnswer
        case .confirming: .confirming
        case .awaitingConfirmation: .awaitingConfirmation
        case .handling: .handling
        case .inProgress: .inProgress
        case .handedOff: .handedOff
        }
    }
}

extension StageName {
    /// Where a request can be after one event that concerned it. (It may well stay where it is: only moves to another stage are listed.)
    public var exits: Set<StageName> {
        switch self {
        case .queued: [.resolving, .awaitingAnswer, .ended]
        case .resolving: [.awaitingAnswer, .confirming, .handedOff, .ended]
        case .awaitingAnswer: [.resolving, .confirming, .handling, .handedOff, .ended]
        case .confirming: [.resolving, .awaitingAnswer, .awaitingConfirmation, .handling, .handedOff, .ended]
        case .awaitingConfirmation: [.resolving, .confirming, .handling, .ended]
        case .handling: [.inProgress, .awaitingAnswer, .awaitingConfirmation, .handedOff, .ended]
        case .inProgress: [.handling, .awaitingAnswer, .awaitingConfirmation, .handedOff, .ended]
        case .handedOff: [.ended]
        case .ended: []
        }
    }
}
