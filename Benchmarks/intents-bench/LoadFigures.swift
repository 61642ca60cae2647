import Foundation
import Histogram
import IntentModel

/// The figures that ``Load`` has measured in one loop.
struct LoadFigures: Sendable {
    /// The rate in requests per second; `nil` in a closed loop.
    var rate: Int?
    var intents = 0
    var failed = 0
    var prompts = 0
    var duration = Duration.zero
    /// The times in microseconds from when a request was due to its completion, with three significant digits. Empty in
    /// a closed loop: a closed loop sends less while the pipeline is slow, and so leaves out the worst times.
    private var latencies = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    /// The longest time from when a request was due to when the load sent it.
    var lag = Duration.zero
    /// CPU time in microseconds by process.
    var cpu: [(name: String, microseconds: Double)] = []
    /// Resident memory in MiB by process, halfway and at the end.
    var memory: [(name: String, middle: Double, end: Double)] = []
    /// The records of each topic. Only measured after the closed loop.
    var records: [RecordFigures] = []

    private static let percentiles = [("p50", 50), ("p90", 90), ("p99", 99), ("p99.9", 99.9), ("max", 100)]

    var perSecond: Double { Double(intents) / (duration / .seconds(1)) }

    mutating func add(latency: Duration) { latencies.record(UInt64(max(0, latency / .microseconds(1)))) }

    private func milliseconds(_ percentile: Double) -> Double {
        Double(latencies.valueAtPercentile(percentile)) / 1_000
    }

    /// CPU time in microseconds per intent by role. Processes of one role count together.
    private var cpuByRole: [(role: String, microseconds: Double)] {
        let roles = Dictionary(grouping: cpu) { Self.role(ofProcess: $0.name) }
        return roles.map { ($0.key, $0.value.reduce(0) { $0 + $1.microseconds } / Double(max(intents, 1))) }.sorted {
            $0.role < $1.role
        }
    }

    /// The role of a process: `resolver` for `resolver-2`.
    static func role(ofProcess name: String) -> String {
        guard let dash = name.lastIndex(of: "-"), Int(name[name.index(after: dash)...]) != nil else { return name }
        return String(name[..<dash])
    }

    /// CPU time in microseconds per intent of the pipeline's processes: without the broker and without this program.
    private var ownCPU: Double {
        cpuByRole.filter { $0.role != "broker" && $0.role != "bench" }.reduce(0) { $0 + $1.microseconds }
    }

    var text: String {
        func number(_ value: Double) -> String { String(format: "%.1f", value) }
        var lines = [
            "intents           \(intents) (\(failed) failed, \(prompts) prompts) in \(String(format: "%.2f", duration / .seconds(1))) s: \(Int(perSecond)) per second"
        ]
        if latencies.totalCount > 0 {
            let times = Self.percentiles.map { "\($0.0) \(number(milliseconds($0.1)))" }.joined(separator: ", ")
            lines.append(
                "latency, ms       \(times); sent at most \(number(lag / .milliseconds(1))) late, which is included")
        }
        lines.append(
            "CPU per intent    \(number(ownCPU)) us in the pipeline: "
                + cpuByRole.map { "\($0.role) \(number($0.microseconds))" }.joined(separator: ", "))
        lines.append(
            "memory, MiB       "
                + memory.map { "\($0.name) \(Int($0.middle)) to \(Int($0.end))" }.joined(separator: ", "))
        if !records.isEmpty {
            lines.append("records           " + records.map(\.text).joined(separator: ", "))
        }
        return lines.map { "  \($0)" }.joined(separator: "\n")
    }

    var json: JSON {
        .make { writer in
            writer.beginObject()
            if let rate { writer.member(named: "rate", JSON.number(rate)) }
            writer.member(named: "intents", JSON.number(intents))
            writer.member(named: "failed", JSON.number(failed))
            writer.member(named: "prompts", JSON.number(prompts))
            writer.member(named: "perSecond", JSON.number(perSecond))
            if latencies.totalCount > 0 {
                writer.member(
                    named: "latency_ms", Self.object(Self.percentiles.map { ($0.0, JSON.number(milliseconds($0.1))) }))
                writer.member(named: "lag_ms", JSON.number(lag / .milliseconds(1)))
            }
            writer.member(named: "cpu_us", JSON.number(ownCPU))
            writer.member(named: "cpu", Self.object(cpuByRole.map { ($0.role, JSON.number($0.microseconds)) }))
            writer.member(
                named: "memory_mib",
                Self.object(memory.map { ($0.name, JSON.array([.number($0.middle), .number($0.end)])) }))
            if !records.isEmpty { writer.member(named: "records", Self.object(records.map { ($0.name, $0.json) })) }
            writer.endObject()
        }
    }

    private static func object(_ members: [(String, JSON)]) -> JSON {
        .make { writer in
            writer.beginObject()
            for (name, value) in members { writer.member(named: name, value) }
            writer.endObject()
        }
    }
}
