/// The size of an exploration's input, and the number of times that each fault may happen.
public struct ExplorationBudget: Sendable, Hashable {
    /// Requests in the input, 1 to 3.
    public var requests = 3
    /// Journal records that the log refuses although it accepts later ones.
    public var refusals = 0
    /// Owners that are replaced while they are alive, and continue.
    public var pauses = 0
    /// Processes that are replaced before their fence is written, and still write the fence. Two fences may have one
    /// epoch.
    public var races = 0
    public var compactions = 0
    /// Processes that end and lose their queued records.
    public var crashes = 0
    /// Partitions that the group revokes while their owner is alive and can drain.
    public var revocations = 0
    /// Journal records whose acknowledgement has no offset.
    public var lostAcknowledgements = 0
    /// Checks of a quiet journal by its owner.
    public var checks = 0

    /// `true` if a remaining fault may give the partition to another process.
    var allowsTakeovers: Bool { refusals + pauses + races + crashes + revocations > 0 }
}

/// An event of an exploration. The number is the index of the process among the processes that are alive.
public enum ExplorationMove: Sendable, Hashable {
    case start
    case decide(Int)
    case writeJournal(Int), writeWithoutOffset(Int), refuse(Int), answerJournal(Int)
    case writeResult(Int), answerResult(Int)
    case readJournal(Int), readResults(Int)
    case check(Int)
    case replace(Int), overtake(Int), crash(Int), revoke(Int), release(Int)
    case compact

    /// `true` if the move need never happen.
    var isFault: Bool {
        switch self {
        case .refuse, .writeWithoutOffset, .check, .replace, .overtake, .crash, .revoke, .compact: true
        default: false
        }
    }
}

/// Explores the rules of the journal breadth-first: every order of the events of two owners, three records and some
/// faults. The exploration checks the promises in each state that can be reached.
public struct JournalExploration: Sendable {
    public struct Outcome: Sendable {
        /// The number of distinct states that were reached.
        public var states = 0
        /// The number of states in which only faults can still happen.
        public var restingStates = 0
        /// The length of the longest of the shortest paths to a state.
        public var depth = 0
        /// `true` if every state was reached: no promise was broken, and the maximum was not exceeded.
        public var isComplete = false
        /// The broken promise.
        public var violation: String?
        /// The shortest path to the broken promise.
        public var way: [ExplorationMove] = []
    }

    public var budget: ExplorationBudget
    /// The maximum number of states. An exploration that exceeds the maximum ends and is not complete.
    public var maximumStates: Int

    /// A part of the whole exploration: some faults, and the number of times that each may happen.
    public struct Part: Sendable, CustomStringConvertible {
        public var name: String
        public var budget: ExplorationBudget
        /// `true` if the part takes more than some seconds in a debug build.
        public var isLong: Bool

        init(_ name: String, _ budget: ExplorationBudget, isLong: Bool = false) {
            self.name = name
            self.budget = budget
            self.isLong = isLong
        }

        public var description: String { name }
    }

    /// The parts of the whole exploration. A process that is replaced while it is alive has as many states as its
    /// successor, so such a part has only one or two requests.
    public static let parts = [
        Part("no faults", ExplorationBudget()),
        Part("crash", ExplorationBudget(crashes: 1)),
        Part("two crashes", ExplorationBudget(crashes: 2), isLong: true),
        Part("refusal", ExplorationBudget(refusals: 1)),
        Part("revocation, lost acknowledgement", ExplorationBudget(revocations: 1, lostAcknowledgements: 1)),
        Part("quiet check, crash", ExplorationBudget(crashes: 1, checks: 1)),
        Part(
            "race, crash, compaction", ExplorationBudget(requests: 1, races: 1, compactions: 1, crashes: 1),
            isLong: true),
        Part("refusal, crash, compaction", ExplorationBudget(refusals: 1, compactions: 1, crashes: 1), isLong: true),
        Part("pause", ExplorationBudget(requests: 2, pauses: 1), isLong: true),
        Part(
            "refusal, pause, compaction", ExplorationBudget(requests: 1, refusals: 1, pauses: 1, compactions: 1),
            isLong: true),
    ]

    public init(_ budget: ExplorationBudget, maximumStates: Int = 10_000_000) {
        self.budget = budget
        self.maximumStates = maximumStates
    }

    private struct Step {
        var before: Int32
        var move: ExplorationMove
    }

    public func run() -> Outcome {
        var outcome = Outcome()
        // A state is stored as a hash of 64 bits. Among ten million states, two have the same hash with a probability
        // of three in a million.
        var seen: Set<Int> = []
        var steps: [Step] = []
        let first = ExploredWorld(budget)
        seen.insert(first.hashValue)
        steps.append(Step(before: -1, move: .start))
        var level: [(world: ExploredWorld, index: Int32)] = [(first, 0)]
        while !level.isEmpty {
            var next: [(world: ExploredWorld, index: Int32)] = []
            for (world, index) in level {
                let moves = world.moves
                if moves.allSatisfy(\.isFault) { outcome.restingStates += 1 }
                for move in moves {
                    var after = world
                    after.apply(move)
                    guard seen.insert(after.hashValue).inserted else { continue }
                    steps.append(Step(before: index, move: move))
                    let here = Int32(steps.count - 1)
                    if let violation = after.violation {
                        outcome.violation = violation
                        outcome.way = way(to: here, steps)
                        outcome.states = steps.count
                        return outcome
                    }
                    next.append((after, here))
                }
                if steps.count > maximumStates {
                    outcome.states = steps.count
                    return outcome
                }
            }
            if !next.isEmpty { outcome.depth += 1 }
            level = next
        }
        outcome.states = steps.count
        outcome.isComplete = true
        return outcome
    }

    private func way(to index: Int32, _ steps: [Step]) -> [ExplorationMove] {
        var way: [ExplorationMove] = []
        var index = Int(index)
        while index > 0 {
            way.append(steps[index].move)
            index = Int(steps[index].before)
        }
        return way.reversed()
    }
}
