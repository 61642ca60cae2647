/// Which faults may happen in an exploration, and how often each.
public struct ExplorationBudget: Sendable, Hashable {
    /// Requests in the input, 1 to 3.
    public var requests: Int
    /// Journal records that the log does not take although it takes later ones.
    public var refusals: Int
    /// Owners that are replaced while they are alive, and go on.
    public var pauses: Int
    /// Processes that are replaced before their fence is written, and write it: two fences may have one epoch.
    public var races: Int
    public var compactions: Int
    /// Processes that end and lose what they have queued.
    public var crashes: Int
    /// Partitions that the group takes back in good order.
    public var revocations: Int
    /// Journal records whose acknowledgement does not say where they are.
    public var lostAcknowledgements: Int
    /// Times that an owner looks at a quiet journal.
    public var checks: Int

    /// Whether one of the faults that are left may give the partition to another process.
    var allowsTakeovers: Bool { refusals + pauses + races + crashes + revocations > 0 }

    public init(
        requests: Int = 3, refusals: Int = 0, pauses: Int = 0, races: Int = 0, compactions: Int = 0, crashes: Int = 0, revocations: Int = 0,
        lostAcknowledgements: Int = 0,
        checks: Int = 0
    ) {
        self.requests = min(3, max(1, requests))
        self.refusals = refusals
        self.pauses = pauses
        self.races = races
        self.compactions = compactions
        self.crashes = crashes
        self.revocations = revocations
        self.lostAcknowledgements = lostAcknowledgements
        self.checks = checks
    }
}

/// Something that can happen. The number is the process's place among those that are alive.
public enum ExplorationMove: Sendable, Hashable {
    case start
    case decide(Int)
    case writeJournal(Int), writeWithoutOffset(Int), refuse(Int), answerJournal(Int)
    case writeResult(Int), answerResult(Int)
    case readJournal(Int), readResults(Int)
    case check(Int)
    case replace(Int), overtake(Int), crash(Int), revoke(Int), release(Int)
    case compact

    /// Whether it may just as well never happen.
    var isFault: Bool {
        switch self {
        case .refuse, .writeWithoutOffset, .check, .replace, .overtake, .crash, .revoke, .compact: true
        default: false
        }
    }
}

/// Explores the rules of the journal breadth-first: every order in which two owners, three records and some faults can meet. In each state that can be
/// reached, the promises are checked.
public struct JournalExploration: Sendable {
    public struct Outcome: Sendable {
        /// How many different states were reached.
        public var states = 0
        /// How many of them have nothing left to happen but faults.
        public var restingStates = 0
        /// The longest of the shortest ways to a state.
        public var depth = 0
        /// Whether every state was reached: neither a promise was broken nor the maximum exceeded.
        public var isComplete = false
        /// What is broken, and the shortest way to it.
        public var violation: String?
        public var way: [ExplorationMove] = []
    }

    public var budget: ExplorationBudget
    /// The exploration ends with this number of states, and is not complete then.
    public var maximumStates: Int

    /// What is explored: some faults, and how often each may happen.
    public struct Part: Sendable, CustomStringConvertible {
        public var name: String
        public var budget: ExplorationBudget
        /// Whether it takes more than some seconds in a debug build.
        public var isLong: Bool

        init(_ name: String, _ budget: ExplorationBudget, isLong: Bool = false) {
            self.name = name
            self.budget = budget
            self.isLong = isLong
        }

        public var description: String { name }
    }

    /// All of it. A process that is replaced while it is alive has as many states as its successor, so there is one request then, or two.
    public static let parts = [
        Part("no faults", ExplorationBudget()),
        Part("crash", ExplorationBudget(crashes: 1)),
        Part("two crashes", ExplorationBudget(crashes: 2), isLong: true),
        Part("refusal", ExplorationBudget(refusals: 1)),
        Part("revocation, lost acknowledgement", ExplorationBudget(revocations: 1, lostAcknowledgements: 1)),
        Part("quiet check, crash", ExplorationBudget(crashes: 1, checks: 1)),
        Part("race, crash, compaction", ExplorationBudget(requests: 1, races: 1, compactions: 1, crashes: 1), isLong: true),
        Part("refusal, crash, compaction", ExplorationBudget(refusals: 1, compactions: 1, crashes: 1), isLong: true),
        Part("pause", ExplorationBudget(requests: 2, pauses: 1), isLong: true),
        Part("refusal, pause, compaction", ExplorationBudget(requests: 1, refusals: 1, pauses: 1, compactions: 1), isLong: true),
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
        // A state is remembered by a hash of 64 bits: among ten million states, two are taken for one with a probability of three in a million.
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
