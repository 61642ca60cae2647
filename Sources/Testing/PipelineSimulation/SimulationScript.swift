import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

/// The moves of one history. A seed makes one script, and a script makes one history.
public struct SimulationScript: Sendable, Hashable, CustomStringConvertible {
    public let seed: UInt64
    var lines: [ScriptLine]

    static let coordinators = ["c1", "c2", "c3"]
    static let workers = ["resolver", "confirmer", "handler1", "handler2", "app"]
    static let processes = coordinators + workers
    /// The name of the persons' devices, whose clocks can be wrong too.
    static let devices = "devices"

    /// Returns the phase that a worker works on.
    static func phase(of worker: String) -> Phase {
        worker == "resolver" ? .resolve : worker == "confirmer" ? .confirm : .handle
    }

    /// A Boolean value that indicates whether hundreds of requests arrive in tens of sessions. One seed in twenty is
    /// dense.
    public var isDense: Bool { seed % 20 == 0 }

    /// All sessions that a script of this seed may have.
    var sessions: [String] { isDense ? (1...40).map { "s\($0)" } : ["ann", "ben", "cleo"] }

    /// The coordinator whose journal records look like those of version 0.1.0; `nil` in most histories.
    ///
    /// In histories with such a coordinator, no input changes and no newer version writes. Version 0.1.0 can't
    /// distinguish one log from another, and must not own a partition after such a repair.
    let older: String?

    /// `true` if the processes encrypt their records. Version 0.1.0 can't.
    let isEncrypted: Bool

    /// `true` if the workers publish the intents that they serve, and the coordinators follow the catalogue. Version
    /// 0.1.0 knows no catalogue.
    let hasCatalogue: Bool

    /// Creates the script of a seed. Each script has only some kinds of faults: many faults of one kind find more than
    /// a few of each kind.
    public init(seed: UInt64) {
        self.init(seed: seed, lines: [])
        var random = SimulationRandom(seed: seed, "script")
        let isSkewed = random.once(in: 4)
        let sessions = Array(self.sessions.prefix(random.within(1...3)))
        var enabled: [Fault] = []
        let isMixed = older != nil
        if !random.once(in: 8) {
            for fault in Fault.common where random.once(in: fault.rarity) && !(isMixed && fault.needsThisVersion) {
                enabled.append(fault)
            }
            if isEncrypted { enabled.append(.rotation) }
        }
        var requests = isDense ? random.within(100...180) : random.within(2...6)
        for number in 1...random.within(30...100) {
            let move: SimulationMove
            switch random.below(100) {
            case 0..<46:
                move =
                    random.once(in: 3)
                    ? .step(random.pick(Self.processes), atMost: random.pick([1, 1, 2, 500]))
                    : .turns(random.within(3...12), atMost: random.pick([1, 2, 3, 500, 500, 500]))
            case 46..<76:
                if isDense {
                    let count = min(requests, random.pick([1, 5, 10, 40]))
                    requests -= count
                    move = .burst(requests: count, others: random.pick([5, 20, 60]))
                } else {
                    move = Self.personMove(number, of: sessions, &requests, &random)
                }
            case 76..<80: move = .finishHandlers(isDense ? 20 : 1)
            case 80..<86:
                move = .pass(milliseconds: random.pick([10, 200, 1_000, 1_000, 1_000, 3_000, 8_000, 12_000, 61_000]))
            default:
                guard !enabled.isEmpty else {
                    move = .turns(2, atMost: 500)
                    break
                }
                move = random.pick(enabled).move(&random, sessions, isSkewed: isSkewed)
            }
            lines.append(ScriptLine(number: number, move: move))
        }
    }

    private static func personMove(
        _ number: Int, of sessions: [String], _ requests: inout Int, _ random: inout SimulationRandom
    ) -> SimulationMove {
        var action = random.pick(actions)
        if action == .request || number < 4 {
            requests -= 1
            action = requests >= 0 ? .request : .answer
        }
        return .person(random.pick(sessions), action)
    }

    init(seed: UInt64, lines: [ScriptLine]) {
        self.seed = seed
        self.lines = lines
        var random = SimulationRandom(seed: seed, "older")
        older = random.once(in: 6) ? random.pick(Self.coordinators) : nil
        random = SimulationRandom(seed: seed, "encryption")
        isEncrypted = older == nil && random.once(in: 8)
        random = SimulationRandom(seed: seed, "catalogue")
        hasCatalogue = older == nil && random.once(in: 5)
    }

    /// One line per move.
    public var description: String { lines.map(\.description).joined(separator: "\n") }

    /// The number of moves.
    public var count: Int { lines.count }

    static let actions: [PersonMove] =
        Array(repeating: .request, count: 12) + Array(repeating: .answer, count: 35) + [.listOptions]
        + Array(repeating: .startUpdates, count: 4)
        + [
            .answerWrongly, .answerWrongly, .answerTwice, .answerLate, .answerForeign, .decline, .cancelPrompt,
            .correct, .correct,
            .correct,
            .cancel, .cancel, .cancelAny, .claim, .claim, .claim, .claimAsAnother, .claimWithOldToken, .complete,
            .complete, .returnHandoff,
            .returnHandoff, .stopUpdates, .stopUpdates, .stopUpdatesTwice, .updatesOfNothing, .forget, .forget, .forget,
            .endSession,
            .misplacedRequest,
        ]
}

private enum Fault: CaseIterable {
    case crash, kill, killWorker, end, evict, pause, strand, acknowledgements, refusal, rebalance, duplicate, poison,
        compact, truncate,
        jump, repeatOnce, reopening, meeting, forgery, intrusion, commits, failure, lateness, leaders, fullQueue,
        oversize, segments,
        foreign,
        rollback,
        otherInput, refusedTopic, transaction, unreadable, keys, rotation

    /// The faults that any history may have. An encrypted history may also have the rotation of keys.
    static let common = allCases.filter { $0 != .rotation }

    /// `true` if only the current version can recognise the fault.
    var needsThisVersion: Bool { self == .rollback || self == .otherInput }

    /// A history has the fault with a probability of 1 in this number. Faults that stop a partition until an operator
    /// acts are rare, because they would dominate most histories.
    var rarity: Int {
        switch self {
        case .rollback, .otherInput, .refusedTopic: 8
        case .foreign, .reopening, .meeting, .transaction, .unreadable, .keys: 6
        case .failure: 2
        default: 3
        }
    }

    func move(_ random: inout SimulationRandom, _ sessions: [String], isSkewed: Bool) -> SimulationMove {
        if let move = clusterMove(&random) {
            // The refused record is most often a dead letter, and a long one.
            if self == .oversize && random.once(in: 2) || self == .failure && random.once(in: 4) {
                return .poison(random.pick([.requests, .answers, .outcomes, .work]))
            }
            return .cluster(move)
        }
        let anyone =
            random.once(in: 2) ? random.pick(SimulationScript.coordinators) : random.pick(SimulationScript.processes)
        if isSkewed, random.once(in: 12) {
            return .skew(
                SimulationScript.devices,
                milliseconds: random.pick([-7_200_000, -60_000, -1, 0, 500, 90_000, 7_200_000]))
        }
        if isSkewed, random.once(in: 6) {
            return .skew(anyone, milliseconds: random.pick([-3_600_000, -4_000, -500, 300, 5_000, 90_000, 3_600_000]))
        }
        switch self {
        case .crash:
            return random.once(in: 4)
                ? random.once(in: 2) ? .start(anyone) : .evict(anyone)
                : .crash(
                    anyone, afterCalls: random.within(1...12),
                    random.pick([
                        .beforeSending, .afterSending, .duringSending(written: random.within(1...4)),
                        .sendingAllBut(
                            topic: random.pick([
                                "intents.sessions", "intents.sessions", "intents.results", "intents.handle",
                                "intents.memory-changes",
                            ])),
                    ]))
        case .killWorker: return .crashWorker(random.pick([.beforeSending, .afterSending, .duringSending(written: 1)]))
        case .kill:
            return .crashBusy(
                random.pick([
                    .beforeSending, .afterSending, .duringSending(written: 1),
                    .sendingAllBut(topic: "intents.sessions"),
                    .sendingAllBut(
                        topic: random.pick([
                            "intents.results", "intents.handle", "intents.sessions", "intents.memory-changes",
                        ])),
                ]))
        case .strand: return random.pick([.strand, .strand, .wakeAll, .writeQueues])
        case .end: return random.once(in: 2) ? .start(anyone) : .close(anyone)
        case .evict: return .evict(anyone)
        case .pause:
            return random.pick([
                .pause(anyone), .pause(anyone), .evict(anyone), .evict(anyone), .wake(anyone), .writeQueue(anyone),
            ])
        case .acknowledgements: return .loseAcknowledgements(random.within(1...4))
        case .refusal: return .refuseRecord
        case .rebalance: return .rebalance(ofWorkers: random.once(in: 3))
        case .duplicate: return .duplicate(random.pick([.requests, .answers, .outcomes, .work]))
        case .poison: return .poison(random.pick([.requests, .answers, .outcomes, .work]))
        case .forgery: return .forge
        case .intrusion: return .intrude(random.pick(sessions))
        case .repeatOnce: return .repeatOnce(crashing: random.once(in: 2))
        case .reopening: return .reopen
        case .meeting: return .meeting(random.pick(SimulatedMeeting.allCases))
        case .compact: return .compact(droppingTombstones: random.once(in: 2))
        case .truncate: return .truncate(random.pick([.requests, .answers, .outcomes, .results]))
        case .commits, .failure, .lateness, .leaders, .fullQueue, .oversize, .segments, .foreign, .rollback,
            .otherInput,
            .refusedTopic, .transaction, .unreadable, .keys, .rotation:
            return .turns(1, atMost: 500)
        case .jump: return .pass(milliseconds: random.pick([61_000, 130_000, 700_000, 2_000_000]))
        }
    }
}

extension Fault {
    private func clusterMove(_ random: inout SimulationRandom) -> ClusterMove? {
        let coordinator = random.pick(SimulationScript.coordinators)
        let anyone = random.once(in: 3) ? random.pick(SimulationScript.workers) : coordinator
        switch self {
        case .failure: return failedRecord(of: anyone, &random)
        case .lateness:
            if random.once(in: 3) { return .releaseAcknowledgements(anyone) }
            let topic =
                random.once(in: 4)
                ? nil : random.pick(["intents.sessions", "intents.sessions", "intents.results", "intents.handle"])
            return .delayAcknowledgements(anyone, of: topic, polls: random.once(in: 3) ? nil : random.within(1...6))
        case .leaders:
            if random.once(in: 3) { return .restoreLeaders }
            return .removeLeaders(
                of: random.pick([
                    "intents.sessions", "intents.sessions", "intents.results", "intents.results", "intents.handle",
                    "intents.outcomes",
                    "intents.memory", "intents.memory", "intents.catalog",
                ]))
        case .fullQueue: return .limitQueue(anyone, to: random.pick([nil, nil, 0, 1, 2, 5]))
        case .oversize:
            let topic = random.pick([
                "intents.dead-letters", "intents.dead-letters", "intents.sessions", "intents.results",
                "intents.outcomes",
                "intents.confirm",
            ])
            let sizes =
                topic == "intents.dead-letters"
                ? [300, 300, 6_000] : topic == "intents.sessions" ? [1_500, 3_000] : [600, 900]
            return .limitRecords(of: topic, toBytes: random.once(in: 3) ? nil : random.pick(sizes))
        case .commits: return .refuseCommits(random.within(1...5))
        case .segments: return .compactSegments(droppingTombstones: random.once(in: 2))
        case .foreign: return random.once(in: 4) ? .repair : .writeForeign
        case .rollback: return random.once(in: 2) ? .repair : .rollBack
        case .otherInput:
            if random.once(in: 2) { return .repair }
            let input = random.pick(JournalInput.allCases)
            return random.once(in: 3) ? .recreate(input) : .cutTail(input, records: random.within(1...4))
        case .refusedTopic:
            if random.once(in: 3) { return .acceptTopics }
            return .refuseTopic(
                random.pick([
                    "intents.resolve", "intents.confirm", "intents.handle", "intents.dead-letters", "intents.memory",
                    "intents.memory-changes",
                ]))
        case .transaction:
            if random.once(in: 3) { return .endTransactions }
            return .openTransaction(
                of: random.pick([
                    "intents.requests", "intents.answers", "intents.outcomes", "intents.resolve", "intents.handle",
                ]))
        case .unreadable: return .writeUnreadable(random.pick([.requests, .answers, .outcomes, .work]))
        case .keys:
            return random.once(in: 3)
                ? .releaseKeys(coordinator) : .withholdKeys(coordinator, isLong: random.once(in: 3))
        case .rotation: return .replaceKeyFile
        default: return nil
        }
    }

    private func failedRecord(of process: String, _ random: inout SimulationRandom) -> ClusterMove {
        let isCoordinator = SimulationScript.coordinators.contains(process)
        let topics =
            isCoordinator
            ? [
                "intents.sessions", "intents.sessions", "intents.results", "intents.results", "intents.handle",
                "intents.resolve",
            ]
            : ["intents.outcomes"]
        return .failRecord(
            process,
            FailedRecord(
                topic: random.once(in: 5) ? "intents.dead-letters" : random.pick(topics),
                skipped: random.pick([0, 0, 1, 3]),
                disposition: random.pick([.retry, .retry, .abort, .fatal]), isWritten: random.once(in: 4),
                inFlight: random.pick([0, 2, 10, 10])))
    }
}
