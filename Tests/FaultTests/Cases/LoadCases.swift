import Conversation
import Foundation
import IntentEvents
import IntentKit
import PipelineService
import RecordLog

@testable import IntentCommands

extension FaultCase {
    static let loads: [FaultCase] = [flood, duplicates]

    /// Measures quiet sessions in one run, without and with a session that sends as fast as it can.
    private static let flood = FaultCase(
        name: "a flooding session beside quiet ones", repeats: (1, 8), hasTravellers: false
    ) { scene in
        let quiet = Person.Pace(window: 1_000, rate: 40)
        let count = 100 * scene.repeats
        scene.play("warmth", 60, quiet) { "warmth-\($0)" }
        try await scene.progress(60)
        scene.play("before", count, quiet) { "before-\($0)" }
        try await scene.progress(count)
        scene.play("flood", 100_000, Person.Pace(window: 100_000, rate: 400)) { _ in "flood" }
        scene.play("beside", count, quiet) { "beside-\($0)" }
        try await eventually("the quiet sessions end") {
            scene.latencies("beside-").count >= count || scene.person.failure != nil
        }
        scene.person.stop("flood")
        return []
    } judge: { scene in
        let (before, beside) = (scene.latencies("before-"), scene.latencies("beside-"))
        let requests = scene.person.ledger.requests
        let flooding = requests.filter { $0.key.hasPrefix("flood-") }.compactMap(\.value.ending)
        let quietOnes = requests.filter { !$0.key.hasPrefix("flood-") }.compactMap(\.value.ending)
        let refused = flooding.count { $0.hasPrefix("rejected") }
        if let other = quietOnes.first(where: { $0 != Completion.Status.success.rawValue }) {
            throw Broken("a quiet request ended as \(other)")
        }
        if let other = flooding.first(where: { $0 != Completion.Status.success.rawValue && $0 != "rejected: busy" }) {
            throw Broken("a flooding request ended as \(other)")
        }
        let ratio = beside.percentile(0.99) / max(before.percentile(0.99), .microseconds(1))
        return [
            "quiet p50 \(milliseconds(before.percentile(0.5))) without, \(milliseconds(beside.percentile(0.5))) with, "
                + "p99 \(milliseconds(before.percentile(0.99))) without, \(milliseconds(beside.percentile(0.99))) with: "
                + "ratio \(String(format: "%.2f", ratio))",
            "of \(flooding.count) flooding requests \(refused) were rejected as busy",
        ]
    }

    /// Every request and every answer is sent three times under its id, and one request ten thousand times.
    private static let duplicates = FaultCase(
        name: "duplicated requests and answers", repeats: (1, 5), pace: Person.Pace(window: 20, rate: 40, copies: 3)
    ) { scene in
        var encoder = EventEncoder(source: "/intents/person")
        for number in 0..<scene.repeats {
            let lines = scene.play("copied\(number)", 1, Person.Pace(window: 1, rate: 1)) { _ in "copied\(number)" }
            guard let line = lines.first,
                let record = encoder.record(
                    .requested(line.request), session: line.session, id: line.request.id, topics: scene.topics,
                    at: Instant.now)
            else { throw Broken("there is no request to copy") }
            try await scene.write(Array(repeating: record, count: 10_000))
            try await scene.progress(40)
        }
        return ["10,000 copies of one request, \(scene.repeats) times; three of all others and of their answers"]
    } judge: { scene in
        let rejections = scene.person.ledger.otherRejections.map { "\($0.key) \($0.value)" }.sorted()
        return rejections.isEmpty ? [] : ["rejected answers: \(rejections.joined(separator: ", "))"]
    }
}
