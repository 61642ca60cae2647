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

/// Why one try did not lead to an answer.
struct TryProblem: Error {
    /// What the service has got of it.
    enum Arrival {
        /// Nothing.
        case none
        /// Perhaps all of it.
        case possible
        /// All of it, and it says that it has not done it.
        case refused
    }

    var reason: RejectionReason
    /// Says the host, what was wrong and what to do. No parameters, no secrets.
    var message: String
    var arrival: Arrival
    /// It may pass.
    var isTransient: Bool
    /// What the service asks for.
    var retryAfter: Duration?

    static func permanent(_ reason: RejectionReason, _ message: String, _ arrival: Arrival) -> TryProblem {
        TryProblem(reason: reason, message: message, arrival: arrival, isTransient: false)
    }

    static func transient(
        _ reason: RejectionReason, _ message: String, _ arrival: Arrival, retryAfter: Duration? = nil
    ) -> TryProblem {
        TryProblem(reason: reason, message: message, arrival: arrival, isTransient: true, retryAfter: retryAfter)
    }
}

extension TryProblem {
    init(connection error: any Error, to url: FulfilmentURL, timeout: Duration, mayHaveArrived: Bool) {
        let arrival: Arrival = mayHaveArrived ? .possible : .none
        let text = "\(error)"
        if error is RefusedAddress {
            let message = "\(url.origin) leads to a link-local address, which is not called unless that address is among the hosts"
            self = .permanent(.unauthorized, message, .none)
        } else if text.contains("CERTIFICATE_VERIFY_FAILED") || error is NIOSSLExtraError {
            let message =
                "\(url.origin) has a certificate that can't be verified: it has to be valid, made for that host, and of an authority in the CA file"
            self = .permanent(.unauthorized, message, .none)
        } else if error as? HTTPClientError == .deadlineExceeded {
            let milliseconds = Int(timeout / .milliseconds(1))
            self = .transient(.busy, "\(url.shown) has not answered within \(milliseconds) ms", arrival)
        } else if mayHaveArrived {
            self = .transient(
                .internal, "the connection to \(url.origin) broke before the whole answer was there (\(Self.words(error)))", arrival)
        } else {
            self = .transient(.internal, "\(url.origin) can't be reached (\(Self.words(error)))", arrival)
        }
    }

    /// A few words, such as `connection refused`.
    private static func words(_ error: any Error) -> String {
        switch error {
        case let error as HTTPClientError: return error.shortDescription
        case let error as NIOConnectionError:
            if let first = error.connectionErrors.first { return words(first.error) }
            return error.dnsAError == nil && error.dnsAAAAError == nil ? "no address" : "its name is not known"
        case let error as IOError: return String(cString: strerror(error.errnoCode)).lowercased()
        default: return "\(type(of: error))"
        }
    }
}
