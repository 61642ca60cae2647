import PipelineTestKit
import RecordLog

/// One move of a history. The random details of a move depend only on the seed and the move's number, so removing one
/// move does not change other moves.
enum SimulationMove: Sendable, Hashable {
    /// Each process takes this number of steps, in rounds of random order, with at most `atMost` events per step.
    case turns(Int, atMost: Int)
    /// One process takes one step, with at most `atMost` events.
    case step(String, atMost: Int)
    case person(String, PersonMove)
    /// Many persons act at once: some send requests, the others answer their prompts or send other events.
    case burst(requests: Int, others: Int)
    /// This number of times, a slow handler returns or a service reports a deferred outcome.
    case finishHandlers(Int)
    case pass(milliseconds: Int)

    // Faults.
    /// The process will crash at the given one of its next calls of the log.
    case crash(String, afterCalls: Int, CrashPoint)
    /// A coordinator crashes now, preferably one with work in flight.
    case crashBusy(CrashPoint)
    /// A worker crashes now, preferably one with a running handler.
    case crashWorker(CrashPoint)
    /// A coordinator, preferably one with work in flight, is paused and evicted from its group.
    case strand
    /// The records in the client queues of all paused processes are written.
    case writeQueues
    /// All paused processes continue.
    case wakeAll
    case start(String)
    /// The process ends as on SIGTERM.
    case close(String)
    /// The group evicts the process, crashed or alive.
    case evict(String)
    case pause(String)
    case wake(String)
    /// The records in the client queues of a process are written.
    case writeQueue(String)
    case loseAcknowledgements(Int)
    case refuseRecord
    case rebalance(ofWorkers: Bool)
    /// A record that a person or the pipeline has written is written again.
    case duplicate(SimulatedTopic)
    case poison(SimulatedTopic)
    /// A program that may write outcomes, but did not get the work, writes an outcome.
    case forge
    /// A program that may not speak for the person sends an event for the person.
    case intrude(String)
    /// The newest work of a once-only handler is written again, and a worker that handles crashes or the workers'
    /// group rebalances. Or another worker returns the work because it is full.
    case repeatOnce(crashing: Bool)
    /// A session ends and begins again while work in its partition waits for a leader, and its coordinator crashes
    /// before the new results are written.
    case reopen
    /// Processes pause until two kinds of records wait for them, and then read all waiting records in one step.
    case meeting(SimulatedMeeting)
    case compact(droppingTombstones: Bool)
    /// Retention drops records that have been read.
    case truncate(SimulatedTopic)
    /// The clock of a process is set ahead, or also back if the process does not run. The clock of the persons' devices
    /// may always be set back.
    case skew(String, milliseconds: Int)
    /// The log, its topics or the clients' records change.
    case cluster(ClusterMove)

    /// The name of the fault in the summary; `nil` if the move is not a fault.
    var fault: String? {
        switch self {
        case .turns, .step, .person, .burst, .finishHandlers, .start, .wake, .wakeAll: nil
        case .pass(let milliseconds): milliseconds > 60_000 ? "clock jumps" : nil
        case .crash: "crashes planned"
        case .crashBusy: "coordinators crashed at work"
        case .crashWorker: "workers crashed at work"
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
        case .forge: "forged outcomes"
        case .intrude: "intrusions"
        case .repeatOnce: "once-only work repeated"
        case .reopen: "sessions opened again"
        case .meeting(let meeting): meeting.rawValue
        case .compact: "compactions"
        case .truncate: "truncations"
        case .skew: "clocks skewed"
        case .cluster(let move): move.fault
        }
    }
}

/// A move of the person, or of a client that claims to be the person.
enum PersonMove: String, Sendable, Hashable, CaseIterable {
    case request, answer, listOptions, answerWrongly, answerTwice, answerLate, answerForeign, decline, cancelPrompt,
        correct, cancel,
        cancelAny, claim,
        claimAsAnother, claimWithOldToken, complete, returnHandoff, startUpdates, stopUpdates, stopUpdatesTwice,
        updatesOfNothing, forget,
        endSession, misplacedRequest, requestOnce
}

/// Two kinds of records that reach a process together after a pause.
enum SimulatedMeeting: String, Sendable, Hashable, CaseIterable {
    case workAndCancels = "work and its cancels come together"
    case workAndCopies = "once-only work and its copies come together"
    case outcomesAndCancels = "outcomes and cancels come together"
}

enum SimulatedTopic: String, Sendable, Hashable, CaseIterable {
    case requests, answers, outcomes, work, results
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
        case .turns(let count, let most): "all processes take \(count) steps, of at most \(most) events"
        case .step(let name, let most): "\(name) takes a step of at most \(most) events"
        case .person(let session, let move): "\(session): \(move.rawValue)"
        case .burst(let requests, let others): "\(requests) requests and \(others) other events come at once"
        case .finishHandlers(1): "a slow handler continues, or a deferred outcome comes"
        case .finishHandlers(let count): "\(count) slow handlers continue, or deferred outcomes come"
        case .pass(let milliseconds): "\(milliseconds) ms pass"
        case .crash(let name, let calls, let point): "\(name) will crash at its call \(calls) from now, \(point.text)"
        case .crashBusy(let point): "a busy coordinator crashes, \(point.text)"
        case .crashWorker(let point): "a busy worker crashes, \(point.text)"
        case .strand: "a busy coordinator is paused and evicted from its group"
        case .writeQueues: "the queued records of all paused processes are written"
        case .wakeAll: "all paused processes continue"
        case .start(let name): "\(name) is started if it does not run"
        case .close(let name): "\(name) is asked to end"
        case .evict(let name): "the group evicts \(name)"
        case .pause(let name): "\(name) is paused"
        case .wake(let name): "\(name) continues"
        case .writeQueue(let name): "the queued records of \(name) are written"
        case .loseAcknowledgements(let count): "the next \(count) acknowledgements are lost"
        case .refuseRecord: "the next record is refused"
        case .rebalance(let workers): "the \(workers ? "handlers" : "coordinators") are rebalanced"
        case .duplicate(let topic): "a record of the \(topic.rawValue) is written again"
        case .repeatOnce(let crashing):
            "work of a once-only handler is written again, and \(crashing ? "a handler crashes" : "the handlers are rebalanced")"
        case .meeting(let meeting):
            "\(meeting == .outcomesAndCancels ? "all coordinators" : "all handlers") pause: \(meeting.rawValue)"
        case .reopen: "a session ends and begins again, and its coordinator crashes before the results are written"
        case .forge: "someone else answers for a worker"
        case .intrude(let session): "someone else speaks for \(session)"
        case .poison(let topic): "an unreadable record is written to the \(topic.rawValue)"
        case .compact(let dropping): "the journal is compacted\(dropping ? " without its tombstones" : "")"
        case .truncate(let topic): "retention drops records of the \(topic.rawValue)"
        case .skew(let name, let milliseconds): "the clock of \(name) jumps by \(milliseconds) ms"
        case .cluster(let move): move.text
        }
    }
}

extension CrashPoint {
    fileprivate var text: String {
        switch self {
        case .beforeSending: "with its queue lost"
        case .afterSending: "with its queue written"
        case .duringSending(let written): "with \(written) records of its queue written"
        case .sendingAllBut(let topic): "with its queue written except for \(topic)"
        }
    }
}
