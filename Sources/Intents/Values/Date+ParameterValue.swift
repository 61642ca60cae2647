#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A moment, in JSON as RFC 3339 text with an offset (`2026-03-02T18:30:00Z`), to the millisecond.
///
/// "Tomorrow" is not understood: that takes a clock and a calendar, which this library does not have.
extension Date: ParameterValue {
    public static var jsonKind: JSONView.Kind { .string }
    public static var typeDescription: String { "a date and time such as 2026-03-02T18:30:00Z" }

    public init?(json: JSONView) { return nil }

    public init?(text: String) {
        guard let milliseconds = Timestamp.parse(text) else { return nil }
        self.init(timeIntervalSince1970: Double(milliseconds) / 1000)
    }

    public func encode(to writer: inout JSONWriter) { writer.string(Timestamp.format(milliseconds)) }

    /// To the minute, in UTC: `2026-03-02 18:30 UTC`.
    public var displayText: String {
        let text = Timestamp.format(milliseconds)
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5)) UTC"
    }

    /// Since 1970, held within the years 1 to 9999.
    private var milliseconds: Int64 {
        let exact = (timeIntervalSince1970 * 1000).rounded()
        return exact.isNaN ? 0 : Int64(min(max(exact, -62_135_596_800_000), 253_402_300_799_999))
    }
}
