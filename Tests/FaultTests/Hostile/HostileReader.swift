import Foundation
import IntentEvents
import IntentModel
import RDKafkaLog
import RecordLog
import Synchronization

/// Reads the effects of hostile records while the records are written, because a development broker retains little.
final class HostileReader: @unchecked Sendable {
    private struct State {
        var letters: Set<String> = []
        var told: Set<Identifier> = []
        var rejected: Set<Identifier> = []
        var isEnding = false
        var failure: String?
    }

    private let state = Mutex(State())
    private let client: any LogClient
    private let topics: Topics
    private let ended = DispatchSemaphore(value: 0)

    init(_ scene: FaultScene) throws {
        topics = scene.topics
        client = try scene.broker.log().connect(ClientConfiguration(clientID: "hostile-reader"))
        for partition in 0..<FaultScene.partitions {
            for topic in [topics.deadLetters, topics.results] {
                try client.read(TopicPartition(topic, partition), from: .beginning)
            }
        }
        let thread = Thread { [self] in
            do {
                while !state.withLock({ $0.isEnding }) {
                    for case .read(let record) in try client.poll(maximum: 1_000, timeout: .milliseconds(50)) {
                        take(record)
                    }
                }
                try client.close(timeout: .seconds(10))
            } catch {
                state.withLock { $0.failure = "\(error)" }
            }
            ended.signal()
        }
        thread.name = "hostile reader"
        thread.start()
    }

    /// The error that stopped the reader.
    var failure: String? { state.withLock { $0.failure } }

    /// The number of this pipeline's records that have a dead letter.
    var letters: Int { state.withLock { $0.letters.count } }

    /// Returns whether the record at a place has a dead letter.
    func hasLetter(of place: String) -> Bool { state.withLock { $0.letters.contains(place) } }

    /// Returns whether a record has met its fate.
    func shows(_ fate: HostileFate, at place: String) -> Bool {
        state.withLock { state in
            switch fate {
            case .deadLetter: state.letters.contains(place)
            case .rejected(let key): state.rejected.contains(key)
            case .answered(let key): state.told.contains(key)
            case .passedOver, .either: true
            }
        }
    }

    func end() {
        state.withLock { $0.isEnding = true }
        ended.wait()
    }

    private func take(_ record: ConsumedRecord) {
        if record.topic == topics.deadLetters {
            guard let letter = ReadDeadLetter(record) else { return }
            let original = letter.original
            state.withLock { _ = $0.letters.insert("\(original.topic) \(original.partition) \(original.offset)") }
            return
        }
        // Results for the load don't matter here.
        guard record.key.map({ !$0.starts(with: Bytes("day-".utf8)) }) ?? true, let result = try? ReceivedResult(record)
        else { return }
        let event = result.data["event"]?.identifier
        state.withLock { state in
            for id in [event, result.request].compactMap(\.self) {
                state.told.insert(HostileFate.key(result.session, id))
            }
            if let event, result.type == .rejected { state.rejected.insert(HostileFate.key(result.session, event)) }
        }
    }
}
