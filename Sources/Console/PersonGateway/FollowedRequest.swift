package import Conversation
import IntentEvents
package import IntentModel

/// A request of a session, with the state that its events show.
package struct FollowedRequest: Sendable {
    package enum State: String, Sendable, Hashable, CaseIterable { case queued, working, prompt, handoff, ended }

    package let id: Identifier
    package var intent: Identifier?
    package var state = State.working
    package var phase: String?
    package var status: String?
    package var code: String?
    /// Why the request has failed or was rejected, as the pipeline says it.
    package var error: String?
    package var started: Instant
    package var ended: Instant?
    package var turns = 0
    package var parameters: [ParameterPath] = []
    package var undo: JSON?
    /// The time for which the request has waited for the person, in milliseconds.
    package var waited: Int64 = 0
    var waitingSince: Instant?
    /// `true` if the beginning of the request was read, so that its duration is known.
    var isWhole: Bool

    init(_ id: Identifier, started: Instant, isWhole: Bool) {
        self.id = id
        self.started = started
        self.isWhole = isWhole
    }

    /// The duration without the time of the person, in milliseconds; `nil` while the request is open, or if its
    /// beginning was not read.
    package var duration: Int64? {
        isWhole ? ended.map { max(0, $0.milliseconds(since: started).subtractingSaturating(waited)) } : nil
    }

    /// The approximate size in memory. The 256 bytes include the short texts of the state.
    var bytes: Int {
        256 + (undo?.bytes.count ?? 0) + (error?.utf8.count ?? 0) + parameters.reduce(0) { $0 + $1.bytes }
    }

    mutating func apply(_ event: TimelineEvent) {
        let data = event.data.view
        intent = data["intent"]?.identifier ?? intent
        switch event.type {
        case .promptIssued, .promptReminded:
            let isNew = event.type == .promptIssued
            state = .prompt
            waitingSince = isNew ? event.time : waitingSince ?? event.time
            if isNew { turns += 1 }
            for row in data["parameters"]?.elements ?? [] {
                if let name = row["parameter"]?.string { update(name) { $0.apply(row: row) } }
            }
            if let name = data["parameter"]?.string, let prompt = data["prompt"]?.identifier {
                update(name) { path in
                    path.title = data["title"]?.string ?? path.title
                    if !path.prompts.contains(prompt) { path.prompts.append(prompt) }
                    if let provenance = data["provenance"] { path.apply(provenance: provenance) }
                }
            }
        case .answerRead where data["dialog"] != nil:
            state = .prompt
            waitingSince = waitingSince ?? event.time
        case .progressed:
            resume(at: event.time)
            phase = data["phase"]?.string
            state = data["code"]?.string == "queued" ? .queued : .working
        case .handoffOffered, .handoffClaimed:
            resume(at: event.time)
            state = .handoff
        case .handoffCompleted:
            if ended != nil { state = .ended }
        case .completed:
            resume(at: event.time)
            state = .ended
            ended = event.time
            status = data["status"]?.string
            code = data["code"]?.string
            error = data["error"]?["message"]?.string ?? data["error"]?["reason"]?.string
            turns = data["turns"]?.int ?? turns
            undo = data["undo"]?.json
            for (name, value) in data["parameters"]?.members ?? [] {
                update(name) { path in
                    // The text of an earlier value does not describe this value.
                    if path.value != value.json { path.text = value["title"]?.string ?? value.string }
                    path.value = value.json
                    path.isMissing = false
                }
            }
            for (name, provenance) in data["provenance"]?.members ?? [] {
                update(name) { $0.apply(provenance: provenance) }
            }
        default: break
        }
    }

    /// Ends the wait for the person.
    mutating func resume(at time: Instant) {
        if let since = waitingSince { waited.addSaturating(max(0, time.milliseconds(since: since))) }
        waitingSince = nil
        if state == .prompt { state = .working }
    }

    private mutating func update(_ name: String, _ change: (inout ParameterPath) -> Void) {
        if let index = parameters.firstIndex(where: { $0.name == name }) { return change(&parameters[index]) }
        var path = ParameterPath(name)
        change(&path)
        parameters.append(path)
    }
}
