import Conversation
import Foundation
import IntentEvents
import IntentKit
import PipelineService
import RecordLog

@testable import intents

extension FaultCase {
    static let loads: [FaultCase] = [flood, duplicates]

    /// Measures quiet sessions in one run, without and with a session that sends as fast as it can.
    private static let flood = FaultCase(
        name: "a flooding session beside quiet ones", repeats: (1, 8), hasTravellers: false
    ) { scene in
        let person = scene.person
        let quiet = Person.Pace(window: 1_000, rate: 40)
        let count = 100 * scene.repeats
        person.play("warmth", Script.plain(named: "warmth", count: 60) { "warmth-\($0)" }, quiet)
        try await scene.progress(60)
        person.play("before", Script.plain(named: "before", count: count) { "before-\($0)" }, quiet)
        try await scene.progress(count)
        person.play(
            "flood", Script.plain(named: "flood", count: 100_000) { _ in "flood" },
            Person.Pace(window: 100_000, rate: 400))
        person.play("beside", Script.plain(named: "beside", count: count) { "beside-\($0)" }, quiet)
        try await eventually("the quiet sessions end") {
            person.ledger.latencies { id, _ in id.hasPrefix("beside-") }.count >= count || person.failure != nil
        }
        person.stop("flood")
        return []
    } judge: { scene in
        let ledger = scene.person.ledger
        let before = ledger.latencies { id, _ in id.hasPrefix("before-") }
        let beside = ledger.latencies { id, _ in id.hasPrefix("beside-") }
        let flooding = ledger.requests.filter { $0.key.hasPrefix("flood-") }.compactMap(\.value.ending)
        let quietOnes = ledger.requests.filter { !$0.key.hasPrefix("flood-") }.compactMap(\.value.ending)
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
            let line = Script.plain(named: "copied\(number)", count: 1) { _ in "copied\(number)" }
            scene.person.play("copied\(number)", line, Person.Pace(window: 1, rate: 1))
            guard let first = line.first,
                let record = encoder.record(
                    .requested(first.request), session: first.session, id: first.request.id, topics: scene.topics,
                    at: Instant.now)
            else { throw Broken("there is no request to copy") }
            try await scene.write(Array(repeating: record, count: 10_000))
            try await scene.progress(40)
        }
        return ["10,000 copies of one request, \(scene.repeats) times; three of all others and of their answers"]
    } judge: { scene in
        let rejections = scene.person.ledger.otherRejections.map { "\($0.key) \($0.value)" }.sorted().joined(
            separator: ", ")
        return rejections.isEmpty ? [] : ["rejected answers: \(rejections)"]
    }
}
