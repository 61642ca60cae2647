import IntentModel

// One intent leads to the next.
extension Transition {
    /// The request that a response opens, or why it opens none.
    ///
    /// Its id is made of that of the request before it, so it is the same however often it is decided.
    func opening(_ opened: OpenedIntent, after active: ActiveRequest) -> (request: IntentRequest?, rejection: Rejection?) {
        func refused(_ reason: RejectionReason, _ why: String) -> (IntentRequest?, Rejection?) {
            (nil, Rejection(reason, "'\(opened.intent.prefix(128))' was not opened: \(why)", field: "opens"))
        }
        guard active.request.depth < policy.maximumOpened else {
            return refused(.complex, "\(policy.maximumOpened) intents have opened one another, and no more may")
        }
        guard 1...128 ~= opened.intent.utf8.count else { return refused(.invalid, "an intent's name has 1 to 128 bytes") }
        var id = "\(active.request.id).opens"
        var number = 1
        while session.knows(id) {
            number += 1
            id = "\(active.request.id).opens-\(number)"
        }
        var request = IntentRequest(
            id: id, intent: opened.intent,
            parameters: opened.parameters.sorted { $0.key < $1.key }.map { ParameterState(name: $0.key, value: $0.value) },
            locale: active.request.locale, attributes: active.request.attributes, trace: active.request.trace)
        request.depth = active.request.depth + 1
        let size = request.parameters.reduce(0) { $0 + $1.size }
        guard size <= policy.maximumParameterBytes else {
            return refused(.complex, "its parameters have \(size) bytes; there is room for \(policy.maximumParameterBytes)")
        }
        return (request, nil)
    }
}
