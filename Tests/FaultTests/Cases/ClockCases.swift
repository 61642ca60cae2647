import Foundation
import IntentModel

extension FaultCase {
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
                scene.person.play(
                    "silent\(number)", Script.plain(named: "silent\(number)", count: 20) { "silent\(number)-\($0)" },
                    silent)
                for hours in [1, -1, 0] {
                    try await scene.progress(20)
                    try clock.jump(to: Int64(hours) * 3_600)
                    try await hold(.seconds(1))
                }
            }
            try await eventually("the unanswered prompts expire") {
                scene.person.ledger.latencies { id, _ in id.hasPrefix("silent") }.count >= 20 * scene.repeats
            }
            return ["\(3 * scene.repeats) jumps"]
        } judge: { scene in
            guard let reads = scene.clock?.reads, reads.ahead > 0, reads.behind > 0 else {
                throw Broken("no process has seen a jump")
            }
            let waits = scene.person.ledger.latencies { id, _ in id.hasPrefix("silent") }
            let limit = Duration.seconds(answerLimit)
            // The clock of a process differs in speed from the machine's clock by at most a tenth.
            guard let first = waits.first, let last = waits.last, first >= limit * 0.85,
                last <= limit * 1.15 + .seconds(3)
            else {
                throw Broken(
                    "prompts of \(answerLimit) s expired after \(waits.first ?? .zero) to \(waits.last ?? .zero)")
            }
            return ["prompts of \(answerLimit) s expired after \(milliseconds(first)) to \(milliseconds(last))"]
        }
    ]
}
