import IntentModel

/// The `Retry-After` of RFC 9110: seconds, or a date.
enum RetryAfter {
    /// No more is believed.
    private static let maximum = Duration.seconds(24 * 3_600)

    /// - Parameter now: milliseconds since 1970.
    /// - Returns: `nil` if there is none or nobody can read it; never negative.
    static func duration(_ text: String?, now: Int64) -> Duration? {
        guard let text else { return nil }
        if let seconds = Int64(text), seconds >= 0 { return min(.seconds(min(seconds, 1 << 32)), maximum) }
        guard let date = date(text) else { return nil }
        return min(max(.milliseconds(date - now), .zero), maximum)
    }

    /// `Sun, 06 Nov 1994 08:49:37 GMT`: milliseconds since 1970.
    private static func date(_ text: String) -> Int64? {
        let parts = text.split(separator: " ")
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, let month = months.firstIndex(of: String(parts[2])) else {
            return nil
        }
        return Timestamp.parse("\(parts[3])-\(month < 9 ? "0" : "")\(month + 1)-\(parts[1])T\(parts[4])Z")
    }
}
