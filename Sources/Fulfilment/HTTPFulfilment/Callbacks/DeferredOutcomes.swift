public import Conversation
public import IntentEvents
public import IntentModel
public import Pipeline
import RecordLog
import Synchronization

/// Accepts deferred outcomes, which services post after `inProgress`, and writes them to `intents.outcomes` on behalf
/// of the handler.
public final class DeferredOutcomes: Sendable {
    /// The maximum size of an outcome in bytes.
    public static let maximumBytes = JSONLimits.outcome.maximumBytes

    private let tokens: CallbackTokens
    private let topics: Topics
    private let writer: AcknowledgedWriter
    private let clock: @Sendable () -> Instant
    private let check: Check
    private let encoder: Mutex<EventEncoder>
    private let parts = Mutex(0)

    /// Makes the outcome of a call from a service's deferred reply, by the rules for a reply to the call itself.
    ///
    /// The function throws an `IntentFailure` that describes the problem of the reply. If the intent is not served
    /// here, the failure is a rejection.
    public typealias Check = @Sendable (DeferredOutcomeAddress, IntentResponse) throws(IntentFailure) -> PhaseOutcome

    /// - Parameter source: The `ce_source` of the records that this object writes.
    public init(
        tokens: CallbackTokens, topics: Topics, writer: AcknowledgedWriter, source: String = "/intents/callback",
        clock: @escaping @Sendable () -> Instant, check: @escaping Check
    ) {
        self.tokens = tokens
        self.topics = topics
        self.writer = writer
        self.clock = clock
        self.check = check
        encoder = Mutex(EventEncoder(source: source))
    }

    /// Returns the call that a URL is for.
    ///
    /// - Parameter token: The last part of the URL.
    /// - Throws: ``CallbackProblem`` if the URL is invalid or has expired.
    public func call(of token: String) throws(CallbackProblem) -> DeferredOutcomeAddress {
        try tokens.read(token, now: clock())
    }

    /// Accepts one deferred outcome, and returns when the outcome is in the log.
    ///
    /// The coordinator applies the first final outcome of a call and ignores later ones, so posting an outcome again is
    /// harmless.
    ///
    /// - Parameters:
    ///   - body: A reply to handle. With the code `inProgress`, the reply reports progress and may have a `fraction`.
    ///   - answer: The call, from ``call(of:)``.
    /// - Throws: ``CallbackProblem``.
    public func accept(_ body: [UInt8], for answer: DeferredOutcomeAddress) async throws {
        let now = clock()
        let content = try content(body, of: answer)
        var part = 0
        if case .progressed = content {
            // Each progress report needs an id of its own, even if another process has accepted an earlier report.
            part = parts.withLock { last in
                last = max(last + 1, Int(now.milliseconds))
                return last
            }
        }
        let record = encoder.withLock { encoder in
            encoder.record(
                answer.outcome(content), session: answer.session, topics: topics, partition: answer.partition,
                part: part, isDeferred: true,
                at: now)
        }
        do { try await writer.write(record) } catch let error as LogError where error.code == .recordTooLarge {
            throw CallbackProblem(.contentTooLarge, .complex, "the outcome is larger than the log accepts")
        } catch {
            throw CallbackProblem(.unavailable, .busy, "the outcome could not be written to the log: post it again")
        }
    }

    private func content(_ body: [UInt8], of call: DeferredOutcomeAddress) throws(CallbackProblem) -> Outcome.Content {
        let view: JSONView
        let response: IntentResponse
        do throws(OutcomeError) {
            view = try FulfilmentReply.object(body)
            response = try FulfilmentReply.response(view, phase: .handle)
            if let fraction = view["fraction"], response.code == .inProgress, !fraction.isNull,
                !(0...1 ~= fraction.double ?? -1)
            {
                throw OutcomeError(.invalid, "'fraction' must be a number from 0 to 1", "fraction")
            }
        } catch {
            throw CallbackProblem(error)
        }
        let outcome: PhaseOutcome
        do throws(IntentFailure) { outcome = try check(call, response) } catch { throw CallbackProblem(error) }
        if response.code == .inProgress {
            return .progressed(fraction: view["fraction"]?.double, dialog: response.dialog)
        }
        return .finished(outcome)
    }
}
