import Conversation
import IntentEvents
import IntentModel
import Pipeline
import RecordLog

/// One partition with its journal, its results, and the processes that own it in turn or believe that they own it.
struct ExploredWorld: Hashable {
    /// The faults that may still happen.
    var budget: ExplorationBudget
    /// The journal. Compaction leaves gaps between offsets.
    var journal: [LoggedRecord] = []
    var journalNext: Int64 = 0
    /// The results, in log order.
    var results: [LoggedRecord] = []
    /// The processes that may still act.
    var owners: [ExploredOwner] = []
    /// The number of processes started so far.
    var started = 0
    /// `true` if the newest process is a member of the group.
    var hasMember = false
    /// `true` if a process was replaced while it was alive. Identical copies of results may follow.
    var mayCopy = false

    /// The sessions of the input, in order. Each request is answered with one result.
    var input: ArraySlice<String> { Self.sessions.prefix(min(3, max(1, budget.requests))) }
    static let sessions = ["s", "t", "s"]
    static let partition: Int32 = 0
    static let topics = Topics()

    init(_ budget: ExplorationBudget) { self.budget = budget }

    // MARK: Moves

    /// The moves that can happen next.
    var moves: [ExplorationMove] {
        var moves: [ExplorationMove] = []
        let (isLastOwner, fenced) = (!budget.allowsTakeovers, newestFence)
        // Moves before a new process begins to read make no difference to the process.
        if !hasMember { return [.start] }
        for (index, owner) in owners.enumerated() {
            let isMember = hasMember && index == owners.count - 1
            // If no other process can take over, the moment at which an owner learns that a result is written makes no
            // difference. The same holds for a fenced owner: its records about results don't count. A fenced owner may
            // decide one more request, to show that it sends nothing.
            let isVoid = owner.journal.epoch < fenced
            if !owner.resultAnswers.isEmpty {
                if isMember, isLastOwner { return [.answerResult(index)] }
                if !isVoid { moves.append(.answerResult(index)) }
            }
            if owner.canDecide, owner.journal[.requests].next < input.count, !isVoid || !owner.hasDecidedVoid {
                moves.append(.decide(index))
            }
            if !owner.journalQueue.isEmpty {
                moves.append(.writeJournal(index))
                if budget.refusals > 0 { moves.append(.refuse(index)) }
                if budget.lostAcknowledgements > 0 { moves.append(.writeWithoutOffset(index)) }
            }
            if !owner.resultQueue.isEmpty { moves.append(.writeResult(index)) }
            if !owner.journalAnswers.isEmpty, !owner.hasLost { moves.append(.answerJournal(index)) }
            if owner.reads(journal, end: journalNext) { moves.append(.readJournal(index)) }
            if owner.resultReader != nil { moves.append(.readResults(index)) }
            if owner.canCheck, budget.checks > 0 { moves.append(.check(index)) }
            if isMember {
                if budget.pauses > 0, owner.journal.isOwned { moves.append(.replace(index)) }
                if budget.races > 0, owner.isFencing { moves.append(.overtake(index)) }
                if budget.crashes > 0 { moves.append(.crash(index)) }
                if budget.revocations > 0, owner.journal.isActive { moves.append(.revoke(index)) }
                if owner.isDraining, owner.journal.inFlight == 0, owner.isIdle { moves.append(.release(index)) }
            }
        }
        if budget.compactions > 0, !journal.isEmpty { moves.append(.compact) }
        return moves
    }

    mutating func apply(_ move: ExplorationMove) {
        switch move {
        case .start:
            started += 1
            hasMember = true
            var owner = ExploredOwner(number: started)
            owner.handleEvent { $0.takeOver() }
            owners.append(owner)
        case .decide(let index):
            if owners[index].journal.epoch < newestFence { owners[index].hasDecidedVoid = true }
            owners[index].decide()
        case .writeJournal(let index): writeJournal(index, reportsOffset: true)
        case .writeWithoutOffset(let index):
            budget.lostAcknowledgements -= 1
            writeJournal(index, reportsOffset: false)
        case .refuse(let index):
            budget.refusals -= 1
            owners[index].journalQueue.removeFirst()
            owners[index].journalAnswers.append(.refused)
        case .writeResult(let index):
            let sent = owners[index].resultQueue.removeFirst()
            owners[index].resultAnswers.append(.init(place: sent.place, offset: Int64(results.count)))
            results.append(LoggedRecord(offset: Int64(results.count), record: sent.record))
        case .answerJournal(let index): owners[index].answerJournal()
        case .answerResult(let index): owners[index].answerResult()
        case .readJournal(let index): owners[index].readJournal(journal, end: journalNext)
        case .readResults(let index): owners[index].readResults(results)
        case .check(let index):
            budget.checks -= 1
            owners[index].handleEvent { $0.check(at: ExploredOwner.now) }
        case .replace:
            budget.pauses -= 1
            hasMember = false
            mayCopy = true
        case .overtake(let index):
            budget.races -= 1
            owners[index].isOvertaken = true
            hasMember = false
            mayCopy = true
        case .crash(let index):
            budget.crashes -= 1
            owners.remove(at: index)
            hasMember = false
            return
        case .revoke(let index):
            budget.revocations -= 1
            owners[index].isDraining = true
            owners[index].handleEvent { $0.drain() }
        case .release(let index):
            owners.remove(at: index)
            hasMember = false
            return
        case .compact:
            budget.compactions -= 1
            compact()
        }
        removeEndedOwners()
    }

    private mutating func writeJournal(_ index: Int, reportsOffset: Bool) {
        let sent = owners[index].journalQueue.removeFirst()
        owners[index].journalAnswers.append(reportsOffset ? .written(journalNext) : .writtenSomewhere)
        journal.append(LoggedRecord(offset: journalNext, record: sent))
        journalNext += 1
    }

    /// Removes processes that have ended, with their queued records. A client drops its queue when one of its records
    /// fails, and so does a crash. A process that has lost the partition still sends its queued records.
    private mutating func removeEndedOwners() {
        for index in owners.indices.reversed() where owners[index].hasEnded || owners[index].isFinished {
            if hasMember, index == owners.count - 1 { hasMember = false }
            owners.remove(at: index)
        }
    }

    /// The highest epoch that has a fence in the log.
    private var newestFence: Int {
        journal.reduce(0) { max($0, $1.fenceEpoch) }
    }

    /// Removes all but the newest record of each key, up to the first record that must survive. Brokers compact no
    /// record before it is ten minutes old. By then, the owner has found a record that overwrites a valid one, and the
    /// writer of a fence has read the fence.
    private mutating func compact() {
        let unread = owners.compactMap { $0.unreadFence(in: journal) }.min() ?? .max
        let end = min(unread, PartitionInspection.firstOverwriting(journal.map(\.consumed)) ?? .max)
        var newest: [Bytes: Int64] = [:]
        for record in journal where record.offset < end {
            if let key = record.record.record.key { newest[key] = record.offset }
        }
        journal.removeAll { $0.offset < end && newest[$0.record.record.key ?? []] != $0.offset }
    }

    // MARK: Promises

    /// The promise that this state breaks; `nil` if the state breaks none.
    var violation: String? {
        if let owner = owners.first(where: { $0.problem != nil }) { return owner.problem }
        var seen: [Identifier: [Bytes]] = [:]
        var answered: Set<Bytes> = []
        for record in results.map(\.consumed) {
            guard let result = try? ReceivedResult(record), let session = result.session, let sequence = result.sequence
            else {
                return "a result that can't be read"
            }
            let content = (record.value ?? []) + (record.header("ce_time") ?? [])
            if sequence <= seen[session]?.count ?? 0 {
                if seen[session]?[sequence - 1] != content {
                    return "result \(sequence) of \(session) has two contents"
                }
                if !mayCopy { return "result \(sequence) of \(session) was written twice" }
                continue
            }
            if sequence != (seen[session]?.count ?? 0) + 1 { return "result \(sequence) of \(session) came too early" }
            seen[session, default: []].append(content)
            let request = Array((result.request ?? "").utf8)
            if !answered.insert(request).inserted { return "\(result.request ?? "") was answered twice" }
        }
        return moves.allSatisfy(\.isFault) ? unfinished(answered) : nil
    }

    /// Returns the reason why a state at rest is unfinished; `nil` if the state is finished.
    private func unfinished(_ answered: Set<Bytes>) -> String? {
        guard let owner = owners.last, hasMember, owner.journal.isActive else {
            return "no process serves the partition"
        }
        if answered.count != input.count { return "\(input.count - answered.count) requests were never answered" }
        if !owner.journal.isSettled { return "something is in flight at rest" }
        var replay = JournalReplay()
        for record in journal { replay.apply(record.consumed) }
        let rebuilt = replay.sessions.compactMapValues { try? JournalOutline($0).session("", in: $0).session.sequence }
        return rebuilt == owner.sessions.mapValues(\.sequence)
            ? nil : "the journal has \(rebuilt) and its owner \(owner.sessions)"
    }
}
