import AsyncHTTPClient
import IntentModel
import NIOCore
import NIOHTTP1
import Synchronization

/// A request, posted once, with the redirects that it meets.
struct HTTPExchange: Sendable {
    let client: HTTPClient
    let hosts: AllowedHosts
    var url: FulfilmentURL
    /// Those of the definition, for the host that it names.
    var ownHeaders: [String: String]
    var headers: [(name: String, value: String)]
    var body: [UInt8]
    var redirects: Int
    var maximumResponseBytes: Int
    /// Altogether, reading included.
    var timeout: Duration

    struct Answer: Sendable {
        var status: Int
        var body: [UInt8]
        var retryAfter: String?
        /// Who answered.
        var url: FulfilmentURL
    }

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
        while true {
            let response = try await client.execute(request(to: url, arrival), deadline: .now() + TimeAmount(timeout))
            let status = Int(response.status.code)
            guard 300...399 ~= status else { return try await read(response, from: url) }
            // Whoever sends it elsewhere has not done it.
            arrival.forget()
            guard status == 307 || status == 308 else {
                throw TryProblem.permanent(
                    .unexpected, "\(url.shown) answered \(status): only 307 and 308 have a request posted elsewhere", .refused)
            }
            guard left > 0 else {
                let limit =
                    redirects == 0 ? "redirects are not followed unless 'redirects' says so" : "that is one redirect more than \(redirects)"
                throw TryProblem.permanent(.unexpected, "\(url.shown) answered \(status): \(limit)", .refused)
            }
            left -= 1
            url = try target(of: response, from: url)
        }
    }

    private func target(of response: HTTPClientResponse, from url: FulfilmentURL) throws(TryProblem) -> FulfilmentURL {
        let status = response.status.code
        guard let location = response.headers.first(name: "location"), let target = try? url.redirected(to: location) else {
            throw .permanent(.unexpected, "\(url.shown) answered \(status) without a 'Location' that can be read", .refused)
        }
        guard hosts.allows(target) else {
            let message = "\(url.shown) answered \(status) and leads to \(target.origin), which is not among the hosts that may be called"
            throw .permanent(.unauthorized, message, .refused)
        }
        if url.isSecure, !target.isSecure {
            throw .permanent(.unauthorized, "\(url.shown) answered \(status) and leads from https to http, which is not followed", .refused)
        }
        return target
    }

    private func request(to url: FulfilmentURL, _ arrival: Arrival) -> HTTPClientRequest {
        var request = HTTPClientRequest(url: url.text)
        request.method = .POST
        for (name, value) in ownHeaders where url.origin == self.url.origin || !HeaderRules.credentials.contains(name.lowercased()) {
            request.headers.replaceOrAdd(name: name, value: value)
        }
        for (name, value) in headers { request.headers.replaceOrAdd(name: name, value: value) }
        request.body = .stream(MarkedBody(buffer: ByteBuffer(bytes: body), arrival: arrival), length: .known(Int64(body.count)))
        return request
    }

    private func read(_ response: HTTPClientResponse, from url: FulfilmentURL) async throws -> Answer {
        let tooLarge = TryProblem.permanent(
            .complex, "\(url.shown) answered with more than the \(maximumResponseBytes) bytes of 'maximumResponseBytes'", .possible)
        if let length = response.headers.first(name: "content-length").flatMap({ Int($0) }), length > maximumResponseBytes {
            throw tooLarge
        }
        var body: [UInt8] = []
        for try await part in response.body {
            if body.count + part.readableBytes > maximumResponseBytes { throw tooLarge }
            body += part.readableBytesView
        }
        return Answer(
            status: Int(response.status.code), body: body, retryAfter: response.headers.first(name: "retry-after"), url: url)
    }
}

/// Whether a service may have got a whole request.
final class Arrival: Sendable {
    private let flag = Atomic<Bool>(false)

    var isPossible: Bool { flag.load(ordering: .acquiring) }
    func mark() { flag.store(true, ordering: .releasing) }
    func forget() { flag.store(false, ordering: .releasing) }
}

/// A body that tells when it is taken: there is a connection then, and before it nobody has got the request.
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
