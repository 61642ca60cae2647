/// The text formats that Prometheus scrapes: its own version 0.0.4, and OpenMetrics 1.0.0, which has exemplars.
package enum PrometheusText {
    package enum Format: Sendable {
        case prometheus
        case openMetrics

        /// Chooses the format that a scraper prefers. OpenMetrics has precedence at equal weight, because it contains
        /// more.
        ///
        /// - Parameter accept: The `Accept` header of the request.
        package init(accept: String) {
            let ranges = accept.lowercased().split(separator: ",").map(AcceptedRange.init)
            let ours = ranges.filter { $0.type == "application/openmetrics-text" && ($0.version ?? "1.0.0") == "1.0.0" }
            let openMetrics = ours.map(\.quality).max() ?? 0
            let text =
                ["text/plain", "text/*", "*/*"].compactMap { type in ranges.first { $0.type == type }?.quality }.first
                ?? 0
            self = openMetrics > 0 && openMetrics >= text ? .openMetrics : .prometheus
        }

        package var contentType: String {
            switch self {
            case .prometheus: "text/plain; version=0.0.4; charset=utf-8"
            case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
            }
        }
    }

    static func text(_ families: [PrometheusFamily], _ format: Format) -> String {
        var text = ""
        for family in families where !family.series.isEmpty {
            // OpenMetrics names a counter without the suffix of its samples.
            let isShort = format == .openMetrics && family.kind == .counter && family.name.hasSuffix("_total")
            let name = isShort ? String(family.name.dropLast("_total".count)) : family.name
            // Prometheus' own format has no type `info`.
            let kind: PrometheusFamily.Kind = family.kind == .info ? .gauge : family.kind
            if !family.help.isEmpty { text += "# HELP \(name) \(help(family.help, format))\n" }
            text += "# TYPE \(name) \(kind.rawValue)\n"
            for (labels, series) in family.series.sorted(by: { $0.key < $1.key }) {
                series.write(family.name, labels, format, to: &text)
            }
        }
        if format == .openMetrics { text += "# EOF\n" }
        return text
    }

    /// Returns a valid metric name.
    static func name(_ label: String, suffix: String = "") -> String {
        var name = ""
        for scalar in label.unicodeScalars { name.unicodeScalars.append(isAllowed(scalar) ? scalar : "_") }
        if name.unicodeScalars.first.map({ "0"..."9" ~= $0 }) ?? true { name = "_" + name }
        return name.hasSuffix(suffix) ? name : name + suffix
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        "a"..."z" ~= scalar || "A"..."Z" ~= scalar || "0"..."9" ~= scalar || scalar == "_" || scalar == ":"
    }

    /// Returns labels in the text format, without braces, in the order of their names.
    static func labels(_ dimensions: [(String, String)]) -> String {
        dimensions.map { (name($0.0).replacing(":", with: "_"), $0.1) }.sorted { $0.0 < $1.0 }
            .map { "\($0.0)=\"\(escaped($0.1))\"" }.joined(separator: ",")
    }

    static func braced(_ labels: String) -> String { labels.isEmpty ? "" : "{\(labels)}" }

    private static func escaped(_ value: String) -> String {
        value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func help(_ text: String, _ format: Format) -> String {
        let text = text.replacing("\\", with: "\\\\").replacing("\n", with: "\\n")
        return format == .openMetrics ? text.replacing("\"", with: "\\\"") : text
    }

    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return value == value.rounded() && abs(value) < 1e15 ? String(Int64(value)) : "\(value)"
    }
}
