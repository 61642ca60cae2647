import Conversation
import IntentModel

/// How fast one sender may write in a partition: a bucket of tokens, one for each event, that fills again with time.
struct SenderRate {
    /// When it will be full again, in milliseconds since 1970; in the past if it is.
    private var fullAt = -Double.infinity

    func isFull(at now: Instant) -> Bool { fullAt <= Double(now.milliseconds) }

    /// Spends a token.
    ///
    /// - Parameters:
    ///   - rate: tokens that come back in a second; more than 0.
    ///   - burst: how many there are at most; at least 1.
    /// - Returns: how long to wait for the next one; `nil` if there was one.
    mutating func spend(rate: Double, burst: Int, at now: Instant) -> Duration? {
        let (now, token) = (Double(now.milliseconds), 1_000 / rate)
        let next = max(fullAt, now) + token
        let beyond = next - now - token * Double(burst)
        // Sums of tokens are not exact.
        if beyond > 1e-3 { return .milliseconds(max(1, Int(beyond.rounded(.up)))) }
        fullAt = next
        return nil
    }
}

/// The rates of the principals that have written lately.
struct PrincipalRates {
    /// Above that, those that are full are forgotten: they are as good as new.
    static let maximumCount = 10_000

    private var rates: [Principal: SenderRate] = [:]

    mutating func spend(of principal: Principal, rate: Double, burst: Int, at now: Instant) -> Duration? {
        if rates.count >= Self.maximumCount {
            rates = rates.filter { !$0.value.isFull(at: now) }
            // A sender makes principals up. The map has a bound; all of them begin with a full bucket again.
            if rates.count >= Self.maximumCount { rates.removeAll() }
        }
        return rates[principal, default: SenderRate()].spend(rate: rate, burst: burst, at: now)
    }
}
