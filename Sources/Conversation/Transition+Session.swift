import IntentModel

// The whole session is ended from outside.
//
// Waiting requests are completed at once. A running handler gets its time to clean up, and its outcome still counts: what has happened must not be
// reported as cancelled. After the last completion only the timer is left. It fires when everything is acknowledged, so the session is forgotten only when
// the person's side has everything.
extension Transition {
    mutating func endSession(_ reason: String?) {
        if session.ending != nil { return ignore(.repeatedEnd) }
        // A session that does not exist would be opened only to be ended.
        if session.isBlank { return ignore(.nothingToEnd) }
        session.ending = SessionEnding(reason: reason.map { String($0.prefix(SessionEnding.maximumReasonLength)) })
        for request in session.queued { completeWaiting(request, .cancelled, "cancelled") }
        session.queued = []
        // The last one would have resumed first.
        for suspended in session.suspended.reversed() { complete(suspended, .cancelled, "cancelled") }
        session.suspended = []
        for index in session.updates.indices where session.updates[index].isOpen { stopUpdates(index, .stopped) }
        session.updates.removeAll { !$0.isStopped }
        session.undoable = []
        // The active request's own handoff goes with it.
        session.handoffs.removeAll { session.active?.stage.handoff != $0.id }
        session.memory = SessionMemory()
        // A request that is being cancelled ends by itself.
        if session.active?.isCancelling == false { cancelActive(dialog: nil, .sessionEnded) }
    }
}
