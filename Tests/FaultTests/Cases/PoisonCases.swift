import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Synchronization

extension FaultCase {
    /// Invalid records on every topic. A new owner must then read the journal with them.
    static let poison: [FaultCase] = {
        let written = Written()
        return [
            FaultCase(name: "poison records on every topic", repeats: (1, 5)) { scene in
                written.forget()
                for number in 0..<scene.repeats {
                    try await scene.progress(40)
                    // The newest sessions have open requests.
                    let live = "day-\((scene.person.endedRequests + 10) / 2)"
                    let poison = Poison.all(scene.topics, number: number, live: live)
                    let deliveries = try await scene.write(poison.map(\.record))
                    written.add(zip(poison, deliveries).map { ($0, $1.partition, $1.offset ?? -1) })
                    try await scene.progress(40)
                    scene.fleet.signal("coordinator-1", SIGKILL)
                    try await scene.fleet.allJoined()
                }
                try await scene.progress(20)
                return [
                    "\(written.all.count) records on \(scene.topics.all.count) topics, each time the coordinator killed after it"
                ]
            } judge: { scene in
                try await judge(written.all, scene)
            },
            FaultCase(
                name: "oversize and compressed poison records", repeats: (1, 4), takesLargeRecords: true
            ) { scene in
                var count = 0
                for number in 0..<scene.repeats {
                    for (codec, poison) in Poison.large(scene.topics, number: number, isQuick: !FaultRun.isFull) {
                        let properties = ["compression.type": codec, "message.max.bytes": "12000000"]
                        guard let delivery = try await scene.write([poison.record], properties).first else { continue }
                        let place = "\(delivery.topic) \(delivery.partition) \(delivery.offset ?? -1)"
                        try await scene.progress(5)
                        // The development broker retains few letters of this size.
                        try await deadLetter(of: place, scene)
                        count += 1
                    }
                    try await scene.progress(20)
                }
                return [
                    "\(count) records of up to 8 MB, half of them compressed to less than 10 kB; a dead letter of each"
                ]
            },
        ]
    }()

    /// Checks that each record had its effect.
    private static func judge(_ written: [(Poison, Int32, Int64)], _ scene: FaultScene) async throws -> [String] {
        let letters = Set(try await scene.read(scene.topics.deadLetters).compactMap(deadLetterPlace))
        let rejections = Set(
            try await scene.read(scene.topics.results).compactMap { record -> String? in
                guard let result = try? ReceivedResult(record), result.type == .rejected else { return nil }
                return result.data["event"]?.string
            })
        var told = 0
        for (poison, partition, offset) in written {
            let place = "\(poison.record.topic) \(partition) \(offset)"
            let id =
                poison.record.headers.first { $0.name == "ce_id" }?.text
                ?? "\(poison.record.topic)-\(partition)-\(offset)"
            let bytes = poison.record.value.map { "\($0.count) bytes" } ?? "no value"
            switch poison.fate {
            case .deadLetter where !letters.contains(place): throw Broken("no dead letter for \(place): \(bytes)")
            case .rejected where !rejections.contains(id): throw Broken("no rejection of \(id): \(bytes)")
            case .passedOver where letters.contains(place): throw Broken("a dead letter for \(place): \(bytes)")
            case .rejected: told += 1
            case .deadLetter, .passedOver: break
            }
        }
        return ["dead letters \(letters.count), rejected \(told)"]
    }

    /// Waits until there is a dead letter of the record at this place.
    private static func deadLetter(of place: String, _ scene: FaultScene) async throws {
        let deadline = ContinuousClock.now.advanced(by: .seconds(60))
        while !(try await scene.read(scene.topics.deadLetters).contains { deadLetterPlace($0) == place }) {
            guard ContinuousClock.now < deadline else { throw Broken("no dead letter for \(place)") }
        }
    }

    private static func deadLetterPlace(_ record: ConsumedRecord) -> String? {
        func text(_ name: String) -> String? { record.headers.last { $0.name == name }?.text }
        guard let topic = text("intents-error-topic"), let partition = text("intents-error-partition"),
            let offset = text("intents-error-offset")
        else { return nil }
        return "\(topic) \(partition) \(offset)"
    }
}

/// The records that were written, with their partition and offset.
private final class Written: Sendable {
    private let records = Mutex<[(Poison, Int32, Int64)]>([])
    var all: [(Poison, Int32, Int64)] { records.withLock { $0 } }
    func add(_ more: [(Poison, Int32, Int64)]) { records.withLock { $0 += more } }
    func forget() { records.withLock { $0 = [] } }
}
