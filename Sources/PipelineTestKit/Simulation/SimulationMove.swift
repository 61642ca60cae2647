import RecordLog

/// One thing that happens in a history. What it does in detail follows from its number alone, so that a move that is left out changes no other.
enum SimulationMove: Sendable, Hashable {
    /// Every process takes so many steps, in an order of its own each time, with at most so many events a step.
    case turns(Int, atMost: Int)
    /// One process takes a step alone.
    case step(String, atMost: Int)
    case person(String, PersonMove)
    /// A handler that takes its time goes on.
    case finishHandler
    case pass(milliseconds: Int)

    // What goes wrong.
    /// Dies at one of its next calls of the log.
    case crash(String, afterCalls: Int, CrashPoint)
    /// A coordinator dies, now: one that has something in its hands if there is one.
    case crashBusy(CrashPoint)
    /// A worker dies, now: one that has a handler running if there is one.
    case crashWorker(CrashPoint)
    /// A coordinator, one that has something in its hands if there is one, stands still, and the group gives up on it.
    case strand
    /// What all that are paused had queued goes out.
    case writeQueues
    /// Everyone who is paused goes on.
    case wakeAll
    case start(String)
    /// Ends as at SIGTERM.
    case close(String)
    /// The group no longer hears of the process, dead or alive.
    case evict(String)
    case pause(String)
    case wake(String)
    /// What a paused process had queued goes out.
    case writeQueue(String)
    case loseAcknowledgements(Int)
    case refuseRecord
    case rebalance(ofWorkers: Bool)
    /// A record of a topic that people or the pipeline write to is there again.
    case duplicate(SimulatedTopic)
    case poison(SimulatedTopic)
    case compact(droppingTombstones: Bool)
    /// Retention drops what everyone has read.
    case truncate(SimulatedTopic)
    /// A process's clock goes ahead (or back, as long as it has not begun).
    case skew(String, milliseconds: Int)

    /// What the summary counts it as; `nil` for what goes right.
    var fault: String? {
        switch self {
        case .turns, .step, .person, .finishHandler, .start, .wake, .wakeAll: nil
        case .pass(let milliseconds): milliseconds > 60_000 ? "clock jumps" : nil
        case .crash: "crashes planned"
        case .crashBusy: "coordinators killed at work"
        case .crashWorker: "workers killed at work"
        case .strand: "coordinators stranded"
        case .close: "processes ended"
        case .evict: "evictions"
        case .pause: "processes paused"
        case .writeQueue, .writeQueues: "queues written while paused"
        case .loseAcknowledgements: "acknowledgements lost"
        case .refuseRecord: "records refused"
        case .rebalance: "rebalances"
        case .duplicate: "duplicate records"
        case .poison: "poison records"
        case .compact: "compactions"
        case .truncate: "truncations"
        case .skew: "clocks gone wrong"
        }
    }
}

/// What the person, or somebody who claims to be, does.
enum PersonMove: String, Sendable, Hashable, CaseIterable {
    case request, answer, answerWrongly, answerTwice, answerLate, answerForeign, decline, cancelPrompt, correct, cancel, cancelAny, claim,
        claimAsAnother, claimWithOldToken, complete, giveBack, startUpdates, stopUpdates, stopUpdatesTwice, updatesOfNothing, forget,
        endSession
}

enum SimulatedTopic: String, Sendable, Hashable, CaseIterable {
    case requests, outcomes, work, results
}

/// A move and its number.
struct ScriptLine: Sendable, Hashable, CustomStringConvertible {
    var number: Int
    var move: SimulationMove

    var description: String {
        let text = "\(number)"
        return String(repeating: " ", count: max(0, 5 - text.utf8.count)) + text + "  \(move.text)"
    }
}

extension SimulationMove {
    fileprivate var text: String {
        switch self {
        case .turns(let count, let most): "everyone takes \(count) steps, of at most \(most) events"
        case .step(let name, let most): "\(name) takes a step of at most \(most) events"
        case .person(let session, let move): "\(session): \(move.rawValue)"
        case .finishHandler: "a handler that took its time goes on"
        case .pass(let milliseconds): "\(milliseconds) ms pass"
        case .crash(let name, let calls, let point): "\(name) will die at its call \(calls) from now, \(point.text)"
        case .crashBusy(let point): "a coordinator that is at work dies, \(point.text)"
        case .crashWorker(let point): "a worker that is at work dies, \(point.text)"
        case .strand: "a coordinator that is at work stands still, and the group gives up on it"
        case .writeQueues: "what all that are paused had queued is written"
        case .wakeAll: "all that are paused wake"
        case .start(let name): "\(name) is started, if it does not run"
        case .close(let name): "\(name) is asked to end"
        case .evict(let name): "the group gives up on \(name)"
        case .pause(let name): "\(name) is paused"
        case .wake(let name): "\(name) wakes"
        case .writeQueue(let name): "what \(name) had queued is written"
        case .loseAcknowledgements(let count): "the next \(count) acknowledgements are lost"
        case .refuseRecord: "the next record is refused"
        case .rebalance(let workers): "the \(workers ? "handlers" : "coordinators") are rebalanced"
        case .duplicate(let topic): "a record of the \(topic.rawValue) is written again"
        case .poison(let topic): "something unreadable is written to the \(topic.rawValue)"
        case .compact(let dropping): "the journal is compacted\(dropping ? ", its tombstones too" : "")"
        case .truncate(let topic): "what everyone has read of the \(topic.rawValue) is dropped"
        case .skew(let name, let milliseconds): "the clock of \(name) goes wrong by \(milliseconds) ms"
        }
    }
}

extension CrashPoint {
    fileprivate var text: String {
        switch self {
        case .beforeSending: "with its queue lost"
        case .afterSending: "with its queue written"
        case .duringSending(let written): "with \(written) records of its queue written"
        case .sendingAllBut(let topic): "with its queue written but for \(topic)"
        }
    }
}
