public import Conversation
public import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Synchronization

/// Accepts deferred outcomes, which services post after `inProgress`, and writes them to `intents.outcomes` on behalf of the handler.
public final class DeferredOutcomes: Sendable {
    /// The maximum size of an outcome in bytes.
    public static let maximumBytes = JSONLimits.outcome.maximumBytes

    private let tokens: CallbackTokens
    private let topics: Topics
    private let writer: AcknowledgedWriter
    private let clock: @Sendable () -> Instant
    private let encoder: Mutex<EventEncoder>
    private let parts = Mutex(0)

    /// - Parameter source: The `ce_source` of the records that it writes.
    public init(
        tokens: CallbackTokens, topics: Topics, writer: AcknowledgedWriter, source: String = "/intents/callback",
        clock: @escaping @Sendable () -> Instant
    ) {
        self.tokens = tokens
        self.topics = topics
        self.writer = writer
        self.clock = clock
        encoder = Mutex(EventEncoder(source: source))
    }

    /// Accepts one deferred outcome, and returns when it is in the log.
    ///
    /// The coordinator applies the first final outcome of a call and ignores the others, so posting it again is harmless.
    ///
    /// - Parameters:
    ///   - body: A reply to handle. With the code `inProgress` it reports progress and may have a `fraction`.
    ///   - token: The last part of the URL.
    /// - Throws: ``CallbackProblem``.
    public func accept(_ body: [UInt8], token: String) async throws {
        let now = clock()
        let answer = try tokens.read(token, now: now)
        let content = try Self.content(body)
        var part = 0
        if case .progressed = content {
            // Each progress report needs its own id, also if another process has accepted one before.
            part = parts.withLock { last in
                last = max(last + 1, Int(now.milliseconds))
                return last
            }
        }
        let record = encoder.withLock { encoder in
            encoder.record(
                answer.outcome(content), session: answer.session, topics: topics, partition: answer.partition, part: part, isDeferred: true,
                at: now)
        }
        do { try await writer.write(record) } catch let error as LogError where error.code == .recordTooLarge {
            throw CallbackProblem(.contentTooLarge, .complex, "the outcome is larger than the log accepts")
        } catch {
            throw CallbackProblem(.unavailable, .busy, "the outcome could not be written to the log: post it again")
        }
    }

    private static func content(_ body: [UInt8]) throws(CallbackProblem) -> Outcome.Content {
        do throws(OutcomeError) {
            let view = try FulfilmentReply.object(body)
            let response = try FulfilmentReply.response(view, phase: .handle)
            if response.code != .inProgress { return .finished(.responded(response)) }
            if let fraction = view["fraction"], !fraction.isNull, !(0...1 ~= fraction.double ?? -1) {
                throw OutcomeError(.invalid, "'fraction' must be a number from 0 to 1", "fraction")
            }
            return .progressed(fraction: view["fraction"]?.double, dialog: response.dialog)
        } catch {
            throw CallbackProblem(error)
        }
    }
}
