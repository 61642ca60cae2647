import Foundation
import IntentEvents
import RecordLog

/// Random texts in place of secrets, with a table of the places where each text may appear.
struct PlantedSecrets {
    /// A place that is searched for planted texts.
    enum Place: Hashable, CustomStringConvertible {
        /// The values and keys of the records of a topic, named without its prefix.
        case values(String)
        /// The headers of the records of a topic, named without its prefix.
        case headers(String)
        /// The standard output and standard error of processes.
        case logs
        /// The output of the tool's commands for an operator.
        case tool
        /// Metrics, health responses, and spans.
        case telemetry
        /// The console's responses on its own machine, to the person whose session it is, and to an operator who
        /// reveals the session.
        case console
        /// The console's responses to everyone else.
        case maskedConsole
        /// The arguments of all processes of this machine.
        case arguments

        var description: String {
            switch self {
            case .values(let topic): "values of \(topic)"
            case .headers(let topic): "headers of \(topic)"
            case .logs: "logs"
            case .tool: "output of the tool"
            case .telemetry: "metrics, health or spans"
            case .console: "the console"
            case .maskedConsole: "the console, for callers who may not see it"
            case .arguments: "arguments of processes"
            }
        }
    }

    struct Secret {
        var name: String
        var text: String
        /// The places where the text has to appear, to prove that it was planted.
        var must: Set<Place>
        /// Further places where the text may appear.
        var may: Set<Place>
    }

    private(set) var secrets: [Secret] = []
    private var found: [String: Set<Place>] = [:]

    static let work: Set<Place> = [.values("resolve"), .values("confirm"), .values("handle")]
    /// The places of a parameter's value on its way to the handler, as the coordinator and operators with rights to its
    /// topics see it.
    static let inner: Set<Place> = work.union([.values("outcomes"), .values("sessions")])
    /// The places that show a text to callers with the right to see it.
    static let shown: Set<Place> = [.tool, .console]

    /// A new text.
    static func text(_ name: String) -> String {
        "planted-\(name.split(separator: " ").joined(separator: "-"))-\(UUID().uuidString.lowercased())"
    }

    mutating func add(_ name: String, _ text: String, must: Set<Place> = [], may: Set<Place> = []) {
        secrets.append(Secret(name: name, text: text, must: must, may: may))
    }

    mutating func look(in bytes: some Collection<UInt8>, at place: Place) {
        let text = String(decoding: bytes, as: UTF8.self)
        for secret in secrets where text.contains(secret.text) { found[secret.name, default: []].insert(place) }
    }

    mutating func look(in record: ConsumedRecord, topic: String) {
        for bytes in [record.key, record.value].compactMap(\.self) { look(in: bytes, at: .values(topic)) }
        for header in record.headers {
            look(in: Bytes(header.name.utf8) + [0x3D] + (header.value ?? []), at: .headers(topic))
        }
    }

    /// Searches the arguments of all visible processes.
    mutating func lookInArguments() throws {
        for process in try FileManager.default.contentsOfDirectory(atPath: "/proc") where Int(process) != nil {
            guard let line = try? Data(contentsOf: URL(fileURLWithPath: "/proc/\(process)/cmdline")) else { continue }
            look(in: line, at: .arguments)
        }
    }

    /// The names of the texts that appear in a wrong place or not where they have to, with the places.
    var mistakes: [String] {
        secrets.flatMap { secret in
            let places = found[secret.name] ?? []
            func text(_ places: Set<Place>) -> String { places.map(\.description).sorted().joined(separator: ", ") }
            let leaks = places.subtracting(secret.must).subtracting(secret.may)
            let missing = secret.must.subtracting(places)
            return (leaks.isEmpty ? [] : ["\(secret.name) is in \(text(leaks))"])
                + (missing.isEmpty ? [] : ["\(secret.name) was not planted in \(text(missing))"])
        }
    }
}
