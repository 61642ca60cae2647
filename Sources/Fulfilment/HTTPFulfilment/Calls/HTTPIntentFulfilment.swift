import AsyncHTTPClient
import IntentEvents
public import IntentKit
public import IntentRuntime

/// Fulfils declared intents by posting them to a service.
///
/// A request has the headers `Content-Type: application/json`, `Idempotency-Key` (the same for every repeat, and
/// different for every phase, parameter and set of values), ``RequestSignature`` if there is a secret, and
/// `traceparent` if the call has one.
///
/// Transient failures (status 408, 425, 429 and 5xx, timeouts, broken connections) are retried, first here and then by
/// the coordinator. Any other failure fails the request with an `IntentFailure` that says what to do.
public struct HTTPIntentFulfilment: IntentFulfilment {
    let configuration: HTTPFulfilmentConfiguration
    let client: HTTPFulfilmentClient
    var clock = FulfilmentClock()

    /// - Throws: ``HTTPFulfilmentError`` that names the setting, also if the client may not call the host.
    public init(_ configuration: HTTPFulfilmentConfiguration, client: HTTPFulfilmentClient) throws(HTTPFulfilmentError)
    {
        if let violation = configuration.violation { throw violation }
        self.configuration = configuration
        self.client = client
        if let url = try? FulfilmentURL(filling: configuration.url, intent: "Intent", phase: .handle),
            let refusal = client.configuration.hosts.refusal(of: url)
        {
            throw HTTPFulfilmentError("url", "leads to \(url.origin), which \(refusal)")
        }
    }

    public func resolve(_ parameter: String, of call: FulfilmentCall) async throws -> ParameterResolution {
        let answer = try await post(call, parameter: parameter)
        return try reading(answer, of: call) { () throws(OutcomeError) -> Reply<ParameterResolution> in
            if answer.status == 202 { throw OutcomeError(.unexpected, "only handle can be in progress", "") }
            let reply = try FulfilmentReply.object(answer.body)
            if let signIn = try FulfilmentReply.signIn(reply) { return .asks(signIn) }
            return .responds(try FulfilmentReply.resolution(reply))
        }.answer()
    }

    public func confirm(_ call: FulfilmentCall) async throws -> IntentResponse {
        guard configuration.phases.contains(.confirm) else { return IntentResponse(.ready) }
        let answer = try await post(call)
        return try reading(answer, of: call) { () throws(OutcomeError) -> Reply<IntentResponse> in
            if answer.status == 202 { throw OutcomeError(.unexpected, "only handle can be in progress", "") }
            let reply = try FulfilmentReply.object(answer.body)
            if let signIn = try FulfilmentReply.signIn(reply) { return .asks(signIn) }
            return .responds(try FulfilmentReply.response(reply, phase: .confirm))
        }.answer()
    }

    public func handle(_ call: FulfilmentCall) async throws -> IntentResponse {
        let answer = try await post(call)
        return try reading(answer, of: call) { () throws(OutcomeError) -> Reply<IntentResponse> in
            var response = IntentResponse(.inProgress)
            if answer.status != 202 || !answer.body.isEmpty {
                let reply = try FulfilmentReply.object(answer.body)
                if answer.status != 202, let signIn = try FulfilmentReply.signIn(reply) { return .asks(signIn) }
                response = try FulfilmentReply.response(reply, phase: .handle)
            }
            if answer.status == 202 { response.code = .inProgress }
            if response.code == .inProgress, callback(call) == nil {
                let message =
                    "it is in progress, but its outcome can't be reported: start the handler with --callback-url"
                throw OutcomeError(.unexpected, message, "code")
            }
            return .responds(response)
        }.answer()
    }
}

/// The reply of a service: an answer, or the request that the person signs in first.
private enum Reply<Answer> {
    case responds(Answer)
    case asks(SignIn)

    /// - Throws: ``SignInRequiredError``, which ends the call and asks the person to sign in.
    func answer() throws -> Answer {
        switch self {
        case .responds(let answer): return answer
        case .asks(let signIn): throw SignInRequiredError(signIn)
        }
    }
}

extension HTTPIntentFulfilment {
    private func callback(_ call: FulfilmentCall) -> String? {
        guard call.phase == .handle, !call.context.replyTo.isEmpty else { return nil }
        return client.configuration.callbackURL?(call.context.replyTo)
    }

    /// `true` if this call must not be repeated after a request that may have arrived.
    private func isOnce(_ call: FulfilmentCall) -> Bool { configuration.isAtMostOnce && call.phase == .handle }

    /// Posts the call, and retries until there is a reply or another attempt can't help.
    private func post(_ call: FulfilmentCall, parameter: String? = nil) async throws -> HTTPExchange.Answer {
        let url: FulfilmentURL
        do { url = try FulfilmentURL(filling: configuration.url, intent: call.intent, phase: call.phase) } catch {
            throw failure(
                .permanent(.invalid, at: "the url of the definition", "has no valid URL", detail: error.message, .none),
                call)
        }
        if let refusal = client.configuration.hosts.refusal(of: url) {
            throw failure(
                .permanent(
                    .unauthorized, at: url.origin, "is not one that may be called", detail: "it \(refusal)", .none),
                call)
        }
        let body = call.body(parameter: parameter, callback: callback(call))
        var attempt = 1
        while true {
            do {
                return try await once(call, url, body, parameter)
            } catch let problem as TryProblem {
                guard let delay = delay(after: attempt, problem, call) else { throw failure(problem, call, attempt) }
                attempt += 1
                try await clock.sleep(delay)
            }
        }
    }

    private func once(
        _ call: FulfilmentCall, _ url: FulfilmentURL, _ body: [UInt8], _ parameter: String?
    ) async throws -> HTTPExchange.Answer {
        let now = clock.now()
        var timeout = configuration.timeout
        if let deadline = call.context.deadline { timeout = min(timeout, .milliseconds(deadline - now)) }
        guard timeout > .zero else {
            throw TryProblem.transient(.busy, at: url.origin, "was not called, because no time is left", .none)
        }
        var headers = [(name: "Content-Type", value: "application/json"), (name: "Accept", value: "application/json")]
        let key = call.idempotencyHeader(parameter: parameter)
        if let key { headers.append(("Idempotency-Key", key)) }
        if let parent = call.context.traceparent { headers.append(("traceparent", HeaderRules.printable(parent))) }
        let signature = configuration.secret.map { secret in
            { @Sendable (target: String) in
                RequestSignature(target: target, idempotencyKey: key ?? "", body: body).value(
                    secret: secret, seconds: now / 1_000)
            }
        }
        let exchange = HTTPExchange(
            client: client, isOnce: isOnce(call), url: url, ownHeaders: configuration.headers, headers: headers,
            signature: signature,
            body: body, redirects: configuration.redirects,
            maximumResponseBytes: configuration.maximumResponseBytes, timeout: timeout)
        let answer = try await exchange.post()
        if answer.status == 200 || answer.status == 202 { return answer }
        throw TryProblem(status: answer, now: clock.now(), isSigned: configuration.secret != nil)
    }

    /// Returns the delay before the next attempt; `nil` if there is no next attempt.
    private func delay(after attempt: Int, _ problem: TryProblem, _ call: FulfilmentCall) -> Duration? {
        guard problem.isTransient, attempt < configuration.retries.maximumAttempts else { return nil }
        // The coordinator retries, too. Several attempts in each of its retries would multiply the calls of a service
        // that is down.
        if call.context.attempt > 1 { return nil }
        if isOnce(call), problem.arrival != .none { return nil }
        let delay = max(configuration.retries.delay(before: attempt + 1), problem.retryAfter ?? .zero)
        // Longer delays are left to the coordinator, because its timers outlive this process.
        if delay > configuration.retries.maximumDelay { return nil }
        if let deadline = call.context.deadline, .milliseconds(deadline - clock.now()) <= delay { return nil }
        return delay
    }

    private func failure(_ problem: TryProblem, _ call: FulfilmentCall, _ attempts: Int = 1) -> IntentFailure {
        let tries = attempts > 1 ? " (tried \(attempts) times)" : ""
        client.configuration.onFailure?(call, "\(problem)\(tries)")
        let message = "\(call.phase.rawValue) of \(call.intent): the service \(problem.message)\(tries)"
        if isOnce(call), problem.arrival == .possible {
            return IntentFailure(
                .failure(.failure), reason: .outcomeUnknown,
                message: "\(message); it may have been done, and is not retried")
        }
        guard problem.isTransient else {
            return IntentFailure(.failure(.failure), reason: problem.reason, message: message)
        }
        let own = configuration.retries.delay(before: attempts + 1)
        return IntentFailure(
            .retry(after: max(own, problem.retryAfter ?? .zero)), reason: problem.reason, message: message)
    }

    private func reading<Result>(
        _ answer: HTTPExchange.Answer, of call: FulfilmentCall, _ read: () throws(OutcomeError) -> Result
    ) throws(IntentFailure) -> Result {
        do { return try read() } catch {
            let field = error.field.isEmpty ? "" : " (in '\(error.field)')"
            let message = "answered \(answer.status) with an invalid reply: \(error.message)\(field)"
            throw failure(.permanent(error.reason, at: answer.url.shown, message, .possible), call)
        }
    }
}
