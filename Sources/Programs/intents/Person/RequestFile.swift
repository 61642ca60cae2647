import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// Requests in a file, one JSON object per line.
struct RequestFile {
    struct Line {
        var number: Int
        var session: Identifier
        var request: IntentRequest
        /// All members of the line, by name.
        var members: [String: JSONView]
    }

    var lines: [Line] = []

    /// - Throws: A `ValidationError` that names the line and the problem.
    init(path: String) throws {
        let data =
            path == "-"
            ? try? FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data else { throw ValidationError("The file '\(path)' can't be read.") }
        for (index, bytes) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            let view: JSONView
            do { view = try JSONView(parsing: Array(bytes)) } catch {
                throw ValidationError("\(path), line \(index + 1): \(error)")
            }
            let members = Dictionary(view.members.map { ($0.name, $0.value) }) { $1 }
            guard let intent = members["intent"]?.string else {
                throw ValidationError("\(path), line \(index + 1): 'intent' is missing.")
            }
            let id = members["id"]?.identifier ?? Identifier(PersonClient.newID())
            let parameters = (members["parameters"]?.members ?? []).map {
                ParameterState(name: $0.name, value: $0.value.json)
            }
            let attributes = Dictionary((members["attributes"]?.members ?? []).map { ($0.name, $0.value.json) }) { $1 }
            lines.append(
                Line(
                    number: index + 1, session: members["session"]?.identifier ?? "file-\(id.text.prefix(8))",
                    request: IntentRequest(
                        id: id, intent: Identifier(intent), parameters: parameters, locale: members["locale"]?.string,
                        attributes: attributes),
                    members: members))
        }
    }
}
