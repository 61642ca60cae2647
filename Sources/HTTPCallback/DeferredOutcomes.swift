public import Conversation
public import IntentEvents
import IntentModel
import Pipeline
import RecordLog
import Synchronization

/// Accepts the outcomes that services post after `inProgress`, and writes them to `intents.outcomes` in place of the handler.
public final class DeferredOutcomes: Sendable {
    /// Maximum size of an outcome in bytes.
    public static let maximumBytes = JSONLimits.outcome.maximumBytes

    private let tokens: CallbackTokens
    private let topics: Topics
    private let writer: AcknowledgedWriter
    private let clock: @Sendable () -> Instant
    private let encoder: Mutex<EventEncoder>
    private let parts = Mutex(0)

    /// - Parameter source: the `ce_source` of what it writes.
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

    /// Accepts one outcome, and returns when it is in the log.
    ///
    /// The coordinator accepts the first final outcome of a call and ignores the others, so posting it again is harmless.
    ///
    /// - Parameters:
    ///   - body: the outcome of handle. With the code `inProgress` it may have a `fraction`, and reports progress.
    ///   - token: the last part of the URL.
    /// - Throws: ``CallbackProblem``.
    public func accept(_ body: [UInt8], token: String) async throws {
        let now = clock()
        let answer = try tokens.read(token, now: now)
        let content = try Self.content(body)
        var part = 0
        if case .progressed = content {
            // Each has an id of its own, also after another process has taken one.
            part = parts.withLock { last in
                last = max(last + 1, Int(now.milliseconds))
                return last
            }
        }
        let record = encoder.withLock { encoder in
            encoder.record(
                Outcome(request: answer.request, step: answer.step, phase: .handle, content: content), session: answer.session,
                topics: topics, partition: answer.partition, part: part, isDeferred: true, at: now)
        }
        do { try await writer.write(record) } catch let error as LogError where error.code == .recordTooLarge {
            throw CallbackProblem(.contentTooLarge, .complex, "the answer is larger than the log takes")
        } catch {
            throw CallbackProblem(.unavailable, .busy, "the answer could not be written down: post it again")
        }
    }

    private static func content(_ body: [UInt8]) throws(CallbackProblem) -> Outcome.Content {
        do throws(OutcomeError) {
            let view = try FulfilmentReply.object(body)
            let response = try FulfilmentReply.response(view, phase: .handle)
            if response.code != .inProgress { return .finished(.responded(response)) }
            if let fraction = view["fraction"], !fraction.isNull, !(0...1 ~= fraction.double ?? -1) {
                throw OutcomeError(.invalid, "'fraction' is a number from 0 to 1", "fraction")
            }
            return .progressed(fraction: view["fraction"]?.double, dialog: response.dialog)
        } catch {
            throw CallbackProblem(error)
        }
    }
}
