import IntentModel

extension TryProblem {
    /// What a status other than 200 and 202 means.
    ///
    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - isSigned: requests have a signature.
    init(status answer: HTTPExchange.Answer, now: Int64, isSigned: Bool) {
        let status = answer.status
        let start = "\(answer.url.shown) answered \(status)"
        let after = RetryAfter.duration(answer.retryAfter, now: now)
        switch status {
        case 429, 425: self = .transient(.busy, "\(start): it has too much to do", .refused, retryAfter: after)
        // Without a time it may be a proxy's word, whatever the service behind it has done.
        case 503:
            self = .transient(.busy, "\(start): it is not available at present", after == nil ? .possible : .refused, retryAfter: after)
        case 408: self = .transient(.busy, "\(start): it has waited too long for the request", .refused, retryAfter: after)
        case 401, 403:
            let what =
                isSigned
                ? "compare its secret with the one of the definition, and its clock with this machine's"
                : "it may want a 'secret' or 'headers'"
            self = .permanent(.unauthorized, "\(start): it does not take our word; \(what)", .refused)
        case 404, 405, 410, 501:
            self = .permanent(.unsupported, "\(start): nothing takes this request there; compare 'url' with the service", .refused)
        case 500...: self = .transient(.internal, "\(start): see the log of the service", .possible, retryAfter: after)
        case 413, 414, 431: self = .permanent(.complex, "\(start): the request is too large for it", .refused)
        case 409: self = .permanent(.unexpected, "\(start): another request with this idempotency key is in its way", .refused)
        case 400..<500: self = .permanent(.invalid, "\(start): it can't use the request; see the log of the service", .refused)
        default:
            self = .permanent(.unexpected, "\(start): an answer has status 200, or 202 if it is given later", .possible)
        }
    }
}
