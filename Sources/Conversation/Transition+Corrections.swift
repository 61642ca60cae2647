import IntentModel

// The person changes a request that waits for its turn.
extension Transition {
    /// A request that was not begun takes the value over; one that was interrupted is resolved anew when it goes on.
    mutating func correctedWaiting(_ id: String, _ correction: Correction) {
        if let index = session.queued.firstIndex(where: { $0.id == id }) {
            var request = session.queued[index]
            request.parameters.removeAll { $0.name == correction.parameter }
            request.parameters.append(ParameterState(name: correction.parameter, value: correction.value))
            let others = session.queued.reduce(0) { $0 + $1.size } - session.queued[index].size
            guard others + request.size <= policy.maximumQueuedBytes else { return tooLarge(policy.maximumQueuedBytes, id) }
            session.queued[index] = request
        } else if let index = session.suspended.firstIndex(where: { $0.request.id == id }) {
            var request = session.suspended[index]
            if request.isBeingHandled { return tooLateToCorrect(correction, id) }
            request.merge([ParameterState(name: correction.parameter, value: correction.value)])
            guard request.parameters.reduce(0, { $0 + $1.size }) <= policy.maximumParameterBytes else {
                return tooLarge(policy.maximumParameterBytes, id)
            }
            request.stage = .resolving(ActiveRequest.Working())
            session.suspended[index] = request
        } else {
            reject(
                Rejection(.unexpected, "there is no such request to correct: it has ended or never began", field: "request"), about: id)
        }
    }

    private mutating func tooLarge(_ bytes: Int, _ id: String) {
        reject(
            Rejection(.complex, "with that value there would be more than the \(bytes) bytes there is room for", field: "value"), about: id)
    }
}
