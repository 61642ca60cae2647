import AsyncHTTPClient
import IntentModel
import NIOCore
import NIOHTTP1
import Synchronization

/// One attempt to post a request, including its redirects.
struct HTTPExchange: Sendable {
    let client: HTTPFulfilmentClient
    /// `true` if each request gets a new connection.
    var isOnce: Bool
    var url: FulfilmentURL
    /// The headers of the definition, any of which may be a credential. These headers are sent only to the definition's
    /// own origin.
    var ownHeaders: [String: String]
    var headers: [(name: String, value: String)]
    /// Signs the request to a path; `nil` without a secret. Only requests to the definition's own origin are signed.
    var signature: (@Sendable (_ target: String) -> String)?
    var body: [UInt8]
    var redirects: Int
    var maximumResponseBytes: Int
    /// The time limit for the whole exchange, including reading the reply.
    var timeout: Duration

    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        var retryAfter: String?
        /// The URL that answered, after redirects.
        var url: FulfilmentURL
    }

    /// Posts the request and follows its redirects.
    ///
    /// - Throws: ``TryProblem``, or `CancellationError` if the task is cancelled.
    func post() async throws -> Answer {
        let arrival = Arrival()
        do {
            return try await withThrowingTaskGroup(of: Answer.self) { group in
                group.addTask { try await follow(arrival) }
                group.addTask {
                    try await Task.sleep(for: timeout)
                    throw HTTPClientError.deadlineExceeded
                }
                defer { group.cancelAll() }
                guard let answer = try await group.next() else { throw CancellationError() }
                return answer
            }
        } catch let problem as TryProblem {
            throw problem
        } catch {
            if Task.isCancelled { throw CancellationError() }
            throw TryProblem(connection: error, to: url, timeout: timeout, mayHaveArrived: arrival.isPossible)
        }
    }

    private func follow(_ arrival: Arrival) async throws -> Answer {
        var url = url
        var left = redirects
        var isOwn = true
        while true {
            let response = try await client.http(for: url, isOnce: isOnce).execute(
                request(to: url, isOwn: isOwn, arrival), deadline: .now() + TimeAmount(timeout))
            let status = Int(response.status.code)
            guard 300...399 ~= status else { return try await read(response, from: url) }
            // A redirect means that the service did not act.
            arrival.reset()
            guard status == 307 || status == 308 else {
                throw TryProblem.permanent(
                    .unexpected, at: url.shown, "answered \(status): only redirects with 307 and 308 are followed",
                    .refused)
            }
            guard left > 0 else {
                let limit =
                    redirects == 0
                    ? "redirects are not followed; set 'redirects' to allow them"
                    : "that exceeds the limit of \(redirects) redirects"
                throw TryProblem.permanent(.unexpected, at: url.shown, "answered \(status): \(limit)", .refused)
            }
            left -= 1
            url = try target(of: response, from: url)
            // A redirect back to the own origin does not count as own, or another host could choose what is signed.
            isOwn = isOwn && url.origin == self.url.origin
        }
    }

    private func target(of response: HTTPClientResponse, from url: FulfilmentURL) throws(TryProblem) -> FulfilmentURL {
        let status = response.status.code
        guard let location = response.headers.first(name: "location"), let target = try? url.redirected(to: location)
        else {
            throw .permanent(.unexpected, at: url.shown, "answered \(status) without a valid 'Location'", .refused)
        }
        if let refusal = client.configuration.hosts.refusal(of: target) {
            throw .permanent(
                .unauthorized, at: url.shown, "answered \(status) and redirects to where it may not be followed",
                detail: "\(target.origin) \(refusal)", .refused)
        }
        if url.isSecure, !target.isSecure {
            throw .permanent(
                .unauthorized, at: url.shown,
                "answered \(status) and redirects from https to http, which is not followed", .refused)
        }
        return target
    }

    /// - Parameter isOwn: `true` if only the definition's own origin has led to this URL.
    private func request(to url: FulfilmentURL, isOwn: Bool, _ arrival: Arrival) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        if isOwn {
            for (name, value) in ownHeaders { request.headers.replaceOrAdd(name: name, value: value) }
            if let signature { request.headers.replaceOrAdd(name: RequestSignature.header, value: signature(url.path)) }
        }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .stream(
            MarkedBody(buffer: ByteBuffer(bytes: body), arrival: arrival), length: .known(Int64(body.count)))
        return request
    }

    private func read(_ response: HTTPClientResponse, from url: FulfilmentURL) async throws -> Answer {
        let tooLarge = TryProblem.permanent(
            .complex, at: url.shown,
            "answered with more than \(maximumResponseBytes) bytes, the limit of 'maximumResponseBytes'", .possible
        )
        if let length = response.headers.first(name: "content-length").flatMap({ Int($0) }),
            length > maximumResponseBytes
        {
            throw tooLarge
        }
        var body: [UInt8] = []
        for try await part in response.body {
            if body.count + part.readableBytes > maximumResponseBytes { throw tooLarge }
            body += part.readableBytesView
        }
        return Answer(
            status: Int(response.status.code), body: body, retryAfter: response.headers.first(name: "retry-after"),
            url: url)
    }
}

/// A flag that shows whether a service may have received a whole request.
final class Arrival: Sendable {
    private let flag = Atomic<Bool>(false)

    var isPossible: Bool { flag.load(ordering: .acquiring) }
    func mark() { flag.store(true, ordering: .releasing) }
    func reset() { flag.store(false, ordering: .releasing) }
}

/// A request body that marks when the client starts to send it. Before that, there is no connection, so the service
/// can't have received the request.
struct MarkedBody: AsyncSequence, Sendable {
    let buffer: ByteBuffer
    let arrival: Arrival

    struct AsyncIterator: AsyncIteratorProtocol {
        var buffer: ByteBuffer?
        let arrival: Arrival

        mutating func next() async -> ByteBuffer? {
            arrival.mark()
            defer { buffer = nil }
            return buffer
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(buffer: buffer, arrival: arrival) }
}
