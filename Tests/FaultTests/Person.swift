import Conversation
import Foundation
import IntentEvents
import IntentKit
import IntentModel
import PipelineService
import RDKafkaLog
import RecordLog
import Synchronization

@testable import IntentCommands

/// The people's side of a pipeline under a fault, which sends requests, answers prompts by the script, and updates the
/// ledger. Works on its own thread from ``init(_:topics:partitions:channel:)`` to ``end()``.
final class Person: @unchecked Sendable {
    /// The speed at which a stream's requests are sent.
    struct Pace: Sendable {
        /// The maximum number of open requests.
        var window: Int
        /// The number of requests per second.
        var rate: Double
        /// The number of times that each event is sent, under the same id.
        var copies = 1
        /// `true` to answer prompts.
        var answers = true
    }

    private struct Stream {
        var name: String
        var play: Play
        var pace: Pace
        var started = ContinuousClock.now
        var sent = 0
        var open = 0
        /// The session and the id of the newest request.
        var newest: (session: Identifier, request: Identifier)?
        var isStopped = false
    }

    private typealias Reaction = (event: SessionEvent, session: Identifier, partition: Int32)

    private struct State {
        var ledger = Ledger()
        var streams: [Stream] = []
    }

    private let state = Mutex(State())
    private let client: any LogClient
    private let topics: Topics
    /// The topic of all events except requests; `nil` for the topic of the requests.
    private let channel: String?
    private var encoder = EventEncoder(source: "/intents/person")
    /// The secret of all claims.
    private let claimSecret = UUID().uuidString
    /// The answers to prompts and offers, by the id of their event. An answer that was rejected because of the load is
    /// sent again.
    private var reactions: [Identifier: Reaction] = [:]
    private var repeats: [(due: ContinuousClock.Instant, reaction: Reaction)] = []
    /// The tokens of offers, by handoff.
    private var tokens: [Identifier: String] = [:]
    private var loop: LoopThread?

    init(_ log: KafkaLog, topics: Topics, partitions: Int32, channel: String? = nil) throws {
        self.topics = topics
        self.channel = channel
        client = try log.connect(ClientConfiguration(clientID: "person"))
        for partition in 0..<partitions { try client.read(TopicPartition(topics.results, partition), from: .beginning) }
        loop = LoopThread("person", client) { [self] in try step() }
    }

    /// Begins to send the requests of a stream, in order.
    func play(_ name: String, _ lines: [RequestFile.Line], _ pace: Pace) {
        let stream = Stream(name: name, play: Play(lines: lines), pace: pace)
        state.withLock { $0.streams.append(stream) }
    }

    /// Stops sending requests. Prompts are still answered.
    func stop(_ name: String? = nil) {
        state.withLock { state in
            for index in state.streams.indices where name == nil || state.streams[index].name == name {
                state.streams[index].isStopped = true
            }
        }
    }

    var ledger: Ledger { state.withLock { $0.ledger } }
    var endedRequests: Int { state.withLock { $0.ledger.ended } }
    var openRequests: Int { state.withLock { $0.ledger.open } }
    /// Returns the number of requests of a stream that have ended.
    func ended(_ name: String) -> Int {
        state.withLock { $0.streams.filter { $0.name == name }.reduce(0) { $0 + $1.sent - $1.open } }
    }
    /// Returns the newest request of a stream, which may have ended.
    func newest(_ name: String) -> (session: Identifier, request: Identifier)? {
        state.withLock { state in state.streams.last { $0.name == name }?.newest }
    }
    /// The error that stopped the person's side.
    var failure: String? { loop?.failure }

    /// Ends the thread.
    func end() { loop?.end() }

    private func step() throws {
        for (stream, line) in due() {
            let copies = state.withLock { state in
                state.ledger.sent(line.request.id, session: line.session, at: .now)
                return state.streams[stream].pace.copies
            }
            try send(
                .requested(line.request), session: line.session, id: line.request.id, partition: nil, copies: copies)
        }
        for event in try client.poll(maximum: 1_000, timeout: .milliseconds(5)) {
            guard case .read(let record) = event, let result = try? ReceivedResult(record) else { continue }
            if let handoff = result.offeredHandoff, let token = result.data["token"]?.string { tokens[handoff] = token }
            repeatLater(result)
            for (event, copies) in reactions(to: record, result) {
                try react((event, result.session ?? "", result.partition), copies: copies)
            }
        }
        while let next = repeats.first, next.due <= .now { try react(repeats.removeFirst().reaction, copies: 1) }
    }

    private func react(_ reaction: Reaction, copies: Int) throws {
        let id = Identifier(UUID().uuidString)
        reactions[id] = reaction
        try send(reaction.event, session: reaction.session, id: id, partition: reaction.partition, copies: copies)
    }

    /// Schedules an answer again that was rejected because of the load. The rejection names the time after which
    /// answers are accepted again.
    private func repeatLater(_ result: ReceivedResult) {
        guard result.type == .rejected, let wait = result.data["retryAfter"]?.int,
            let event = result.data["event"]?.identifier, let reaction = reactions.removeValue(forKey: event)
        else { return }
        repeats.append((.now + .milliseconds(wait), reaction))
        repeats.sort { $0.due < $1.due }
    }

    /// Returns the requests to send now, with the index of their stream.
    private func due() -> [(Int, RequestFile.Line)] {
        state.withLock { state in
            var due: [(Int, RequestFile.Line)] = []
            for index in state.streams.indices where !state.streams[index].isStopped {
                let elapsed = state.streams[index].started.duration(to: .now) / .seconds(1)
                while state.streams[index].open < state.streams[index].pace.window, due.count < 200,
                    Double(state.streams[index].sent) <= elapsed * state.streams[index].pace.rate,
                    let line = state.streams[index].play.next()
                {
                    state.streams[index].sent += 1
                    state.streams[index].open += 1
                    state.streams[index].newest = (line.session, line.request.id)
                    due.append((index, line))
                }
            }
            return due
        }
    }

    /// Counts a result, and returns the events that react to it.
    private func reactions(to record: ConsumedRecord, _ result: ReceivedResult) -> [(SessionEvent, copies: Int)] {
        state.withLock { state in
            let before = state.ledger.ended
            guard state.ledger.record(record, result, at: .now) else { return [] }
            for index in state.streams.indices {
                guard let reactions = state.streams[index].play.react(to: result) else { continue }
                if state.ledger.ended > before { state.streams[index].open -= 1 }
                let pace = state.streams[index].pace
                return pace.answers ? reactions.map { ($0, pace.copies) } : []
            }
            return []
        }
    }

    private func send(_ event: SessionEvent, session: Identifier, id: Identifier, partition: Int32?, copies: Int) throws
    {
        let topic = if case .requested = event { topics.requests } else { channel }
        let token: String? = if case .handoffClaimed(let handoff, _) = event { tokens[handoff] } else { nil }
        guard
            let record = encoder.record(
                event, session: session, id: id, topics: topics, to: topic, partition: partition, token: token,
                secret: claimSecret, at: .now)
        else { return }
        // The queue has room for 100,000 unsent records, more than are ever sent at once.
        for _ in 0..<copies { try client.send(record, token: 0) }
    }
}
