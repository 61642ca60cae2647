import AsyncHTTPClient
import IntentModel
import NIOCore
import NIOPosix
import NIOSSL

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The reason for which one attempt has not led to a usable reply.
struct TryProblem: Error, CustomStringConvertible {
    /// The state of the request at the service.
    enum Arrival {
        /// The service did not receive the request.
        case none
        /// The service may have received the whole request.
        case possible
        /// The service received the request and reported that it did not act.
        case refused
    }

    var reason: RejectionReason
    /// The problem and what to do, as a text that follows "the service". The message contains no address, no parameters
    /// and no secrets, because the person sees it.
    var message: String
    /// The URL of the service without its query, for the log.
    var place: String
    /// Further details for the log, with addresses.
    var detail: String?
    var arrival: Arrival
    /// `true` if another attempt may succeed.
    var isTransient: Bool
    /// The delay that the service requests.
    var retryAfter: Duration?

    static func permanent(
        _ reason: RejectionReason, at place: String, _ message: String, detail: String? = nil, _ arrival: Arrival
    ) -> TryProblem {
        TryProblem(reason: reason, message: message, place: place, detail: detail, arrival: arrival, isTransient: false)
    }

    static func transient(
        _ reason: RejectionReason, at place: String, _ message: String, _ arrival: Arrival, retryAfter: Duration? = nil
    ) -> TryProblem {
        TryProblem(
            reason: reason, message: message, place: place, arrival: arrival, isTransient: true, retryAfter: retryAfter)
    }

    /// The complete problem, for the log.
    var description: String { "\(place) \(message)\(detail.map { ": \($0)" } ?? "")" }
}

extension TryProblem {
    init(connection error: any Error, to url: FulfilmentURL, timeout: Duration, mayHaveArrived: Bool) {
        let arrival: Arrival = mayHaveArrived ? .possible : .none
        let text = "\(error)"
        if let refused = error as? RefusedAddress {
            let detail =
                "its name leads to \(refused.address): add its network to --fulfilment-networks, or call it by an address in --fulfilment-hosts"
            self = .permanent(
                .unauthorized, at: url.origin,
                "may not be called, because its name leads to an address that is not allowed",
                detail: detail,
                .none)
        } else if text.contains("CERTIFICATE_VERIFY_FAILED") || error is NIOSSLExtraError {
            let message =
                "has a certificate that can't be verified: it must be valid, issued for its host, and signed by a trusted authority"
            self = .permanent(.unauthorized, at: url.origin, message, .none)
        } else if error as? HTTPClientError == .deadlineExceeded {
            let milliseconds = Int(timeout / .milliseconds(1))
            self = .transient(.busy, at: url.shown, "did not answer within \(milliseconds) ms", arrival)
        } else if mayHaveArrived {
            self = .transient(
                .internal, at: url.origin, "broke the connection before the reply was complete (\(Self.words(error)))",
                arrival)
        } else {
            self = .transient(.internal, at: url.origin, "can't be reached (\(Self.words(error)))", arrival)
        }
    }

    /// Returns a short description, such as `connection refused`.
    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: return error.shortDescription
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return words(first.error) }
            return error.dnsAError == nil && error.dnsAAAAError == nil ? "no address" : "unknown host"
        case let error as IOError: return String(cString: strerror(error.errnoCode)).lowercased()
        default: return "\(type(of: error))"
        }
    }
}

extension TryProblem {
    /// Makes a problem from a status other than 200 and 202.
    ///
    /// - Parameters:
    ///   - now: The time in milliseconds since 1970.
    ///   - isSigned: `true` if requests have a signature.
    init(status answer: HTTPExchange.Answer, now: Int64, isSigned: Bool) {
        let status = answer.status
        let start = "answered \(status)"
        let place = answer.url.shown
        let after = RetryAfter.duration(answer.retryAfter, now: now)
        switch status {
        case 429, 425: self = .transient(.busy, at: place, "\(start): it is overloaded", .refused, retryAfter: after)
        // Without `Retry-After`, a proxy may have sent the reply, and the service behind the proxy may have acted.
        case 503:
            self = .transient(
                .busy, at: place, "\(start): it is temporarily unavailable", after == nil ? .possible : .refused,
                retryAfter: after)
        case 408:
            self = .transient(
                .busy, at: place, "\(start): it timed out waiting for the request", .refused, retryAfter: after)
        case 401, 403:
            let what =
                isSigned
                ? "compare its secret with the one of the definition, and its clock with this machine's"
                : "it may require a 'secret' or 'headers'"
            self = .permanent(
                .unauthorized, at: place, "\(start): it does not authorize the request; \(what)", .refused)
        case 404, 405, 410, 501:
            self = .permanent(
                .unsupported, at: place, "\(start): it does not serve this request; compare 'url' with the service",
                .refused)
        case 500...:
            self = .transient(
                .internal, at: place, "\(start): see the log of the service", .possible, retryAfter: after)
        case 413, 414, 431:
            self = .permanent(.complex, at: place, "\(start): the request is too large for it", .refused)
        case 409:
            self = .permanent(
                .unexpected, at: place, "\(start): it conflicts with another request with this idempotency key",
                .refused)
        case 400..<500:
            self = .permanent(
                .invalid, at: place, "\(start): it rejects the request; see the log of the service", .refused)
        default:
            self = .permanent(
                .unexpected, at: place, "\(start): a reply must have status 200, or 202 if the outcome is deferred",
                .possible)
        }
    }
}

/// Reads the header `Retry-After` of RFC 9110: seconds, or a date.
enum RetryAfter {
    /// The maximum delay. Longer delays are reduced to the maximum.
    private static let maximum = Duration.seconds(24 * 3_600)

    /// Returns the delay that the header requests.
    ///
    /// - Parameter now: The time in milliseconds since 1970.
    /// - Returns: A delay that is never negative; `nil` if the header is missing or invalid.
    static func duration(_ text: String?, now: Int64) -> Duration? {
        guard let text else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return min(.seconds(min(seconds, 1 << 32)), maximum) }
        guard let date = date(text) else { return nil }
        return min(max(.milliseconds(date - now), .zero), maximum)
    }

    /// Parses a date such as `Sun, 06 Nov 1994 08:49:37 GMT` to milliseconds since 1970.
    private static func date(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2,
            let month = months.firstIndex(of: String(parts[2]))
        else {
            return nil
        }
        return Timestamp.parse("\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
