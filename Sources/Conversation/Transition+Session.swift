import IntentModel

// The whole session is ended from outside.
//
// What waits is completed at once. A handler that is at it gets the time that it has to clean up, and what it says then still counts: nobody may be told
// that what has happened was called off. With the last completion there is nothing left but the timer, which rings when all of it is acknowledged: so
// the session is forgotten only when the person's side has everything.
extension Transition {
    mutating func endSession(_ reason: String?) {
        if session.ending != nil { return ignore(.repeatedEnd) }
        // One that was never there, or was forgotten: it would be opened only to be ended.
        if session.active == nil, session.sequence == 0, session.rememberedRequests.isEmpty { return ignore(.nothingToEnd) }
        session.ending = SessionEnding(reason: reason.map { String($0.prefix(SessionEnding.maximumReasonLength)) })
        for request in session.queued {
            complete(ActiveRequest(request: request, parameters: request.parameters, stageEnds: now), .cancelled, "cancelled")
        }
        session.queued = []
        // The last one would have gone on first.
        for suspended in session.suspended.reversed() { complete(suspended, .cancelled, "cancelled") }
        session.suspended = []
        for index in session.updates.indices where session.updates[index].isOpen { stopUpdates(index, .stopped) }
        session.updates.removeAll { !$0.isStopped }
        // The active request's own handoff goes with it.
        session.handoffs.removeAll { session.active?.stage != .handedOff(handoff: $0.id) }
        session.memory = SessionMemory()
        // One that is being called off already ends by itself, soon enough.
        if session.active?.isCancelling == false { cancelActive(dialog: nil, .sessionEnded) }
    }
}
