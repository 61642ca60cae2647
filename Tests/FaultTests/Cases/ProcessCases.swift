import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentModel
import RecordLog

@testable import Pipeline

extension FaultCase {
    /// Repeated `kill -9` during work; a new process starts each time.
    static let kills: [FaultCase] =
        Fleet.Role.allCases.map { killed("kill -9 of the \($0)", of: [$0], repeats: (0, 5), size: Fleet.Size()) } + [
            killed(
                "kill -9 of one of each role at once", of: Fleet.Role.allCases, repeats: (1, 4),
                size: Fleet.Size(coordinators: 2, handlers: 2))
        ]

    private static func killed(
        _ name: String, of roles: [Fleet.Role], repeats: (quick: Int, full: Int), size: Fleet.Size
    ) -> FaultCase {
        FaultCase(name: name, repeats: repeats, size: size) { scene in
            try await scene.repeatedly { _ in
                for role in roles { scene.fleet.signal("\(role)-1", SIGKILL) }
                try await scene.fleet.allJoined()
            }
            return ["\(scene.repeats * roles.count) kills"]
        }
    }

    /// A process that is paused until others own its partitions, and continues under load. The process must decide and
    /// send nothing more.
    static let pauses: [FaultCase] = [Fleet.Role.coordinator, .handler].map { role in
        FaultCase(
            name: "SIGSTOP of a \(role), then SIGCONT", repeats: (0, 4),
            size: Fleet.Size(coordinators: role == .coordinator ? 2 : 1, handlers: role == .handler ? 2 : 1)
        ) { scene in
            try await scene.repeatedly { number in
                let names = ["\(role)-1", "\(role)-2"]
                let (stopped, other) = (names[number % 2], names[1 - number % 2])
                try await scene.moveAll(to: other, while: { scene.fleet.signal(stopped, SIGSTOP) }) {
                    scene.fleet.signal(stopped, SIGCONT)
                }
            }
            return ["\(scene.repeats) stops, each until the other had taken over"]
        } judge: { scene in
            try await everyResultWasTheOwners(scene)
        }
    }

    /// Checks that every result was decided by an owner. A result that only a former owner's journal record mentions
    /// was decided by a process that was no longer the owner.
    static func everyResultWasTheOwners(_ scene: FaultScene) async throws -> [String] {
        var replays: [Int32: JournalReplay] = [:]
        var decided: [Identifier: Int] = [:]
        var void = 0
        for record in try await scene.read(scene.topics.sessions).sorted(by: { $0.offset < $1.offset }) {
            let verdict = replays[record.partition, default: JournalReplay()].apply(record)
            if verdict == .void { void += 1 }
            guard verdict == .valid, case .session(let id, let journaled?)? = try? JournalRecord(record).content else {
                continue
            }
            decided[id] = max(decided[id] ?? 0, journaled.session.sequence)
        }
        for record in try await scene.read(scene.topics.results) {
            guard let result = try? ReceivedResult(record), let session = result.session,
                let sequence = result.sequence,
                // The development broker removes old records.
                let last = decided[session]
            else { continue }
            if sequence > last {
                throw Broken("result \(sequence) of \(session) was decided by a process that did not own it")
            }
        }
        return ["journal records of former owners \(void), all void"]
    }

    static let groups: [FaultCase] = [storm, slowHandler]

    /// Members join and leave, whether or not a rebalance has finished in between.
    private static let storm = FaultCase(name: "rebalance storm", repeats: (0, 32)) { scene in
        for number in 0..<scene.repeats {
            let role = Fleet.Role.allCases[number % Fleet.Role.allCases.count]
            let name = "guest-\(role)-\(number)"
            scene.fleet.join(name, program: role.program, role == .coordinator ? FaultScene.patient : role.phase)
            // Every other member leaves before it has been assigned anything.
            try await hold(.milliseconds(number.isMultiple(of: 2) ? 1_000 : 300))
            try await scene.fleet.leave(name)
        }
        try await scene.progress(20)
        return ["\(scene.repeats) members joined and left"]
    }

    /// The time of the handler in seconds: longer than `max.poll.interval.ms`, which may not be less than the session
    /// timeout.
    private static let slowness = 8

    /// A slow handler. The worker keeps polling while the handler runs, so the group does not revoke its partitions.
    private static let slowHandler = FaultCase(
        name: "a handler slower than max.poll.interval.ms", repeats: (1, 3), hasTravellers: false,
        properties: { broker in ["max.poll.interval.ms": String(Int(broker.sessionTimeout / .milliseconds(1)))] },
        handler: ("slow-handler", ["--seconds", String(slowness)])
    ) { scene in
        scene.play("plain", 2_000, Person.Pace(window: 40, rate: 40)) { "plain-\($0)" }
        try await scene.progress(40 * scene.repeats)
        return ["each handling took \(slowness) s, the interval is \(milliseconds(scene.broker.sessionTimeout))"]
    } judge: { scene in
        if scene.fleet.announcements("handler-1") != 1 { throw Broken("the handler's partitions changed hands") }
        var answers: [String: Int] = [:]
        for record in try await scene.read(scene.topics.outcomes) {
            guard let event = try? OutcomeEvent(record), event.outcome.phase == .handle,
                case .finished = event.outcome.content
            else { continue }
            answers["\(event.session) \(event.outcome.request)", default: 0] += 1
        }
        let repeated = answers.values.count { $0 > 1 }
        if repeated > 0 { throw Broken("\(repeated) requests were handled more than once") }
        return ["handled more than once 0 of \(answers.count)"]
    }

    /// The time limit of an unanswered prompt, in seconds.
    private static let answerLimit = 6

    /// Clocks that jump. A time limit by the wall clock would end requests early after a jump forward, and late after a
    /// jump back.
    static let clocks: [FaultCase] = [
        FaultCase(
            name: "clocks that jump by an hour", repeats: (1, 4), needs: [.fakeClock],
            coordinator: ["--phase-timeout", "900", "--answer-timeout", "\(answerLimit)"]
        ) { scene in
            guard let clock = scene.clock else { return [] }
            let silent = Person.Pace(window: 100, rate: 10, answers: false)
            for number in 0..<scene.repeats {
                scene.play("silent\(number)", 20, silent) { "silent\(number)-\($0)" }
                for hours in [1, -1, 0] {
                    try await scene.progress(20)
                    try clock.jump(to: Int64(hours) * 3_600)
                    try await hold(.seconds(1))
                }
            }
            try await eventually("the unanswered prompts expire") {
                scene.latencies("silent").count >= 20 * scene.repeats
            }
            return ["\(3 * scene.repeats) jumps"]
        } judge: { scene in
            guard let reads = scene.clock?.reads, reads.ahead > 0, reads.behind > 0 else {
                throw Broken("no process has seen a jump")
            }
            let waits = scene.latencies("silent")
            let limit = Duration.seconds(answerLimit)
            let (first, last) = (waits.first ?? .zero, waits.last ?? .zero)
            let waited = "prompts of \(answerLimit) s expired after \(milliseconds(first)) to \(milliseconds(last))"
            // The clock of a process differs in speed from the machine's clock by at most a tenth.
            if first < limit * 0.85 || last > limit * 1.15 + .seconds(3) { throw Broken(waited) }
            return [waited]
        }
    ]

    /// Every process is replaced by one of another build, one at a time, and back again. Without another build, the
    /// processes are only restarted.
    static let upgrades: [FaultCase] = {
        let other = Fleet.directory("FAULTS_OTHER_PROGRAMS")
        return [
            FaultCase(
                name: other == nil ? "rolling restart" : "rolling upgrade and back", repeats: (0, 2),
                size: Fleet.Size(coordinators: 2, handlers: 2), firstPrograms: other
            ) { scene in
                let builds = [Fleet.programs, other ?? Fleet.programs]
                for number in 0..<scene.repeats * 2 {
                    // Workers must know tickets while coordinators demand them, so workers are upgraded first and
                    // downgraded last.
                    let coordinators = scene.fleet.names.filter { $0.hasPrefix("coordinator") }
                    let workers = scene.fleet.names.filter { !$0.hasPrefix("coordinator") }
                    for name in number % 2 == 0 ? workers + coordinators : coordinators + workers {
                        try await scene.progress(10)
                        try await scene.fleet.replace(name, from: builds[number % 2])
                    }
                    try await scene.progress(40)
                }
                let change = other == nil ? "restarted" : "replaced"
                return ["\(scene.repeats * 2 * scene.fleet.count) processes \(change), one at a time"]
            }
        ]
    }()
}

extension FaultScene {
    /// Waits until a process of two has all partitions because of a fault, and until both have some after its end.
    func moveAll(to name: String, while begin: () throws -> Void, until end: () throws -> Void) async throws {
        let role = name.dropLast(2)
        try begin()
        try await eventually("\(name) has all partitions") { fleet.partitions(name)?.count == Int(Self.partitions) }
        try await progress(20)
        try end()
        try await eventually("both have partitions again") {
            [1, 2].allSatisfy { fleet.partitions("\(role)-\($0)")?.count == Int(Self.partitions) / 2 }
        }
    }
}
