import Conversation
import Foundation
import IntentEvents
import IntentKit
import RecordLog

extension FaultCase {
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
        scene.person.play(
            "plain", Script.plain(named: "plain", count: 2_000) { "plain-\($0)" }, Person.Pace(window: 40, rate: 40))
        try await scene.progress(40 * scene.repeats)
        return ["each handling took \(slowness) s, the interval is \(milliseconds(scene.broker.sessionTimeout))"]
    } judge: { scene in
        if scene.fleet.announcements("handler-1") != 1 { throw Broken("the handler's partitions changed hands") }
        var answers: [String: Int] = [:]
        for record in try await scene.read(scene.topics.outcomes) {
            guard let event = try? OutcomeEvent(record), event.outcome.phase == .handle else { continue }
            if case .finished = event.outcome.content {
                answers["\(event.session) \(event.outcome.request)", default: 0] += 1
            }
        }
        let repeated = answers.values.count { $0 > 1 }
        if repeated > 0 { throw Broken("\(repeated) requests were handled more than once") }
        return ["handled more than once 0 of \(answers.count)"]
    }
}

/// The error that a requirement is not met.
struct Broken: Error, CustomStringConvertible {
    var description: String
    init(_ description: String) { self.description = description }
}
