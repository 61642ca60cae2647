import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog

/// The endings of requests, counted from the results in the log.
struct Ledger: Sendable {
    struct Request: Sendable {
        var sent: ContinuousClock.Instant
        var ended: ContinuousClock.Instant?
        /// The completion's status, or `rejected` and the reason.
        var ending: String?
    }

    private struct SessionNumbers {
        var last = 0
        /// A hash of each result's bytes by its number.
        var contents: [Int: Int] = [:]
    }

    private(set) var requests: [Identifier: Request] = [:]
    /// Requests that were neither completed nor rejected with a reason.
    private(set) var open = 0
    private(set) var ended = 0
    /// Requests that ended twice, and sequence numbers with two different results.
    private(set) var duplicated = 0
    /// Results whose sequence number does not follow the previous one in their session.
    private(set) var outOfOrder = 0
    /// Results that were read again, with the same bytes under the same number. Readers skip such copies.
    private(set) var copies = 0
    /// Rejections of events that are not requests, such as late answers, and of events without a session.
    private(set) var otherRejections: [String: Int] = [:]
    /// The longest time between two results while a request was open.
    private(set) var longestSilence = Duration.zero
    private var sessions: [Identifier: SessionNumbers] = [:]
    private var quietSince: ContinuousClock.Instant?

    var isGood: Bool { open == 0 && duplicated == 0 && outOfOrder == 0 }

    mutating func sent(_ request: Identifier, session: Identifier, at now: ContinuousClock.Instant) {
        if sessions[session] == nil { sessions[session] = SessionNumbers() }
        guard requests[request] == nil else { return }
        requests[request] = Request(sent: now)
        if open == 0 { quietSince = now }
        open += 1
    }

    /// - Returns: `true` if the result is new, and not of another program's session.
    mutating func record(_ record: ConsumedRecord, _ result: ReceivedResult, at now: ContinuousClock.Instant) -> Bool {
        hear(at: now)
        guard count(record, result) else { return false }
        switch result.type {
        case .completed:
            if let request = result.request { end(request, result.data["status"]?.string ?? "", at: now) }
        case .rejected:
            let reason = result.data["reason"]?.string ?? ""
            if let event = result.data["event"]?.identifier, requests[event] != nil {
                end(event, "rejected: \(reason)", at: now)
            } else {
                otherRejections[reason, default: 0] += 1
            }
        default: break
        }
        return true
    }

    /// Updates the longest silence up to now; also called at the end of the run.
    mutating func hear(at now: ContinuousClock.Instant) {
        if open > 0, let since = quietSince { longestSilence = max(longestSilence, since.duration(to: now)) }
        quietSince = now
    }

    private mutating func count(_ record: ConsumedRecord, _ result: ReceivedResult) -> Bool {
        // A rejection outside of any session has no number.
        guard let session = result.session, let sequence = result.sequence else { return true }
        // Other programs write into sessions of their own.
        guard var numbers = sessions[session] else { return false }
        var hasher = Hasher()
        hasher.combine(record.value)
        hasher.combine(result.type)
        hasher.combine(result.id)
        let content = hasher.finalize()
        if let known = numbers.contents[sequence] {
            if known == content { copies += 1 } else { duplicated += 1 }
            return false
        }
        if sequence != numbers.last + 1 { outOfOrder += 1 }
        numbers.last = max(numbers.last, sequence)
        numbers.contents[sequence] = content
        sessions[session] = numbers
        return true
    }

    private mutating func end(_ id: Identifier, _ ending: String, at now: ContinuousClock.Instant) {
        guard let request = requests[id] else { return }
        if request.ended != nil {
            duplicated += 1
            return
        }
        requests[id] = Request(sent: request.sent, ended: now, ending: ending)
        open -= 1
        ended += 1
    }

    /// Returns the sorted durations from request to completion of the requests whose ids begin with a text.
    func latencies(_ prefix: String) -> [Duration] {
        requests.filter { $0.key.hasPrefix(prefix) }.values
            .compactMap { request in request.ended.map { request.sent.duration(to: $0) } }.sorted()
    }
}

extension [Duration] {
    /// Returns a percentile of sorted durations.
    func percentile(_ share: Double) -> Duration {
        isEmpty ? .zero : self[Swift.min(count - 1, Int(Double(count) * share))]
    }
}
