#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A range of time with a start, an end or both, which may repeat: SiriKit's `INDateComponentsRange`, with dates
/// instead of components.
///
/// In JSON a range is `{"start"?,"end"?,"recurrence"?}` with dates as text and a ``RecurrenceRule``; at least one of
/// start and end is required. As text a range is an ISO 8601 interval (`2026-03-02T18:00:00Z/2026-03-02T20:00:00Z`, or
/// `…/PT2H`), "from … to …", "from …" or "until …".
public struct DateRange: ParameterValue {
    public let start: Date?
    public let end: Date?
    public let recurrence: RecurrenceRule?

    /// Creates a range, or returns `nil` without start and end, and if the end is before the start.
    public init?(start: Date?, end: Date?, recurrence: RecurrenceRule? = nil) {
        if start == nil, end == nil { return nil }
        // The dates are compared as numbers, because the order of dates also includes NaN.
        if let start, let end, !(start.timeIntervalSince1970 <= end.timeIntervalSince1970) { return nil }
        self.start = start
        self.end = end
        self.recurrence = recurrence
    }

    /// Returns `true` if a moment is within the range, excluding the end. Recurrences are ignored.
    public func contains(_ moment: Date) -> Bool {
        start.map { $0 <= moment } ?? true && end.map { moment < $0 } ?? true
    }

    // MARK: As a parameter

    public static var spokenKind: SpokenKind? { .dateRange }
    public static var jsonKind: JSONView.Kind { .object }
    public static var typeDescription: String {
        "a stretch of time, as an object with 'start' and 'end' or as 'start/end'"
    }
    public static var jsonSchema: JSON {
        .object([
            "type": .string("object"),
            "properties": .object([
                "start": Date.jsonSchema, "end": Date.jsonSchema, "recurrence": RecurrenceRule.jsonSchema,
            ]),
            "anyOf": .array(["start", "end"].map { .object(["required": .array([.string($0)])]) }),
        ])
    }

    public init?(json: JSONView) {
        var moments: [Date?] = []
        for member in [json["start"], json["end"]] {
            guard let member, !member.isNull else {
                moments.append(nil)
                continue
            }
            guard let moment = member.string.flatMap({ Date(text: $0) }) else { return nil }
            moments.append(moment)
        }
        var recurrence: RecurrenceRule?
        if let member = json["recurrence"], !member.isNull {
            recurrence =
                member.kind == .string
                ? member.string.flatMap { RecurrenceRule(text: $0) } : RecurrenceRule(json: member)
            if recurrence == nil { return nil }
        }
        self.init(start: moments[0], end: moments[1], recurrence: recurrence)
    }

    public init?(text: String) {
        guard text.utf8.count <= 200 else { return nil }
        let trimmed = SpokenNumber.trimmed(text)
        if trimmed.contains("/") {
            let ends = trimmed.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard ends.count == 2 else { return nil }
            self.init(from: ends[0], to: ends[1])
            return
        }
        var words = trimmed.split { $0.isWhitespace }
        let first = words.first?.lowercased()
        if first == "from" || first == "between" || first == "until" { words.removeFirst() }
        guard !words.isEmpty else { return nil }
        let middle = words.firstIndex { ["to", "until", "and"].contains($0.lowercased()) }
        if let middle, first != "until" {
            let (from, to) = (words[..<middle].joined(separator: " "), words[(middle + 1)...].joined(separator: " "))
            guard let start = Date(text: from), let end = Date(text: to) else { return nil }
            self.init(start: start, end: end)
        } else {
            guard let moment = Date(text: words.joined(separator: " ")) else { return nil }
            switch first {
            case "from": self.init(start: moment, end: nil)
            case "until": self.init(start: nil, end: moment)
            default: return nil
            }
        }
    }

    /// Creates a range from an ISO 8601 interval of two dates, or of a date and a duration on either side; `..` is an
    /// open side.
    private init?(from: String, to: String) {
        var (start, end) = (Date(text: from), Date(text: to))
        if let start, end == nil, to != ".." {
            guard let length = Duration(text: to), length >= .zero,
                let moment = Self.moment(length / .seconds(1), from: start)
            else { return nil }
            end = moment
        } else if let end, start == nil, from != ".." {
            guard let length = Duration(text: from), length >= .zero,
                let moment = Self.moment(-(length / .seconds(1)), from: end)
            else { return nil }
            start = moment
        }
        self.init(start: start, end: end)
    }

    /// Returns the date this many seconds later, to the millisecond; `nil` outside the years in which a date can be
    /// written.
    private static func moment(_ seconds: Double, from moment: Date) -> Date? {
        let exact = moment.addingTimeInterval(seconds)
        guard let written = JSON(exact).view.string.flatMap({ Date(text: $0) }),
            abs(written.timeIntervalSince(exact)) < 0.001
        else { return nil }
        return written
    }

    public func encode(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("start", ifPresent: start.map { JSON($0) })
        writer.member("end", ifPresent: end.map { JSON($0) })
        writer.member("recurrence", ifPresent: recurrence.map { JSON($0) })
        writer.endObject()
    }

    /// The range as text: "2026-03-02 18:00 UTC to 2026-03-02 20:00 UTC".
    public var displayText: String { displayText(in: nil) }

    /// The range in the person's language, with its dates as ``Foundation/Date/displayText(in:)`` writes them.
    public func displayText(in locale: String?) -> String {
        let (from, to) = (start?.displayText(in: locale), end?.displayText(in: locale))
        let range: LocalizedText? =
            switch (from, to) {
            case (let from?, let to?): BuiltInText.fromTo(from, to)
            case (let from?, nil): BuiltInText.from(from)
            case (nil, let to?): BuiltInText.until(to)
            case (nil, nil): nil
            }
        return [range?.text(in: locale), recurrence?.displayText(in: locale)].compactMap(\.self)
            .joined(separator: ", ")
    }
}
