import Conversation
import DequeModule
import IntentModel
import RecordLog

/// The records that a gateway writes, and the callers that wait for their acknowledgements. A pure value: the gateway
/// sends the records and delivers the answers.
struct Outbox: Sendable {
    /// A record to write.
    struct Letter: Sendable {
        var record: Record
        /// The time until which Kafka must acknowledge the record.
        var deadline: Instant
        /// Passes the result to the caller.
        var done: @Sendable (Result<LogPosition, GatewayProblem>) -> Void

        fileprivate func failure(_ problem: GatewayProblem) -> Answer {
            Answer(letter: self, result: .failure(problem))
        }
    }

    /// The result of a letter for its caller.
    struct Answer {
        fileprivate let letter: Letter
        let result: Result<LogPosition, GatewayProblem>

        func deliver() { letter.done(result) }
    }

    /// The time in which Kafka must acknowledge a record.
    static let patience: Duration = .seconds(10)
    static let maximum = 10_000

    private var waiting: Deque<Letter> = []
    /// The sent records without an acknowledgement, by their tokens.
    private var underway: [UInt64: Letter] = [:]
    private var token: UInt64 = 0
    private var isClosed = false

    var count: Int { waiting.count + underway.count }

    /// Adds a record. Returns the reason if no record is accepted at present.
    mutating func append(_ letter: Letter) -> GatewayProblem? {
        if isClosed { return GatewayProblem(.busy, "the gateway ends: try again elsewhere") }
        if count >= Self.maximum {
            return GatewayProblem(.busy, "too much is on its way to Kafka: try again in a second")
        }
        waiting.append(letter)
        return nil
    }

    /// Returns the next record to send, with its token.
    mutating func popNext() -> (record: Record, token: UInt64)? {
        guard let letter = waiting.popFirst() else { return nil }
        token += 1
        underway[token] = letter
        return (letter.record, token)
    }

    /// Puts a record back that the client's full queue did not accept.
    mutating func putBack(_ token: UInt64) {
        if let letter = underway.removeValue(forKey: token) { waiting.prepend(letter) }
    }

    /// Applies an acknowledgement. Returns `nil` if no caller waits for it any more.
    mutating func acknowledge(_ delivery: Delivery) -> Answer? {
        guard let letter = underway.removeValue(forKey: delivery.token) else { return nil }
        guard let error = delivery.error else {
            let place = LogPosition(partition: delivery.partition, offset: delivery.offset ?? 0)
            return Answer(letter: letter, result: .success(place))
        }
        return letter.failure(
            GatewayProblem(
                error.code == .unauthorized ? .unauthorized : .busy, "Kafka has not taken it: \(error.message)"))
    }

    /// Removes the records whose deadline has passed.
    mutating func expire(at now: Instant) -> [Answer] {
        var answers: [Answer] = []
        while let first = waiting.first, first.deadline <= now {
            waiting.removeFirst()
            answers.append(first.failure(GatewayProblem(.busy, "Kafka takes nothing more at present: try again later")))
        }
        for (token, letter) in underway where letter.deadline <= now {
            underway[token] = nil
            answers.append(
                letter.failure(
                    GatewayProblem(
                        .busy, "Kafka has not acknowledged it in time; it may still arrive. Repeat it with the same id",
                        isUndecided: true)))
        }
        return answers
    }

    /// Removes all records, and accepts no more.
    mutating func close() -> [Answer] {
        let unsent = GatewayProblem(.busy, "the gateway ends: try again elsewhere")
        let sent = GatewayProblem(
            .busy, "the gateway ends: try again elsewhere with the same id", isUndecided: true)
        let answers = waiting.map { $0.failure(unsent) } + underway.values.map { $0.failure(sent) }
        (waiting, underway, isClosed) = ([], [:], true)
        return answers
    }
}
