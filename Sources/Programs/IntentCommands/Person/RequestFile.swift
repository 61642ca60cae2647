import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import PipelineService

/// Requests in a file, one JSON object per line.
struct RequestFile {
    /// A request, with the number of its line.
    struct Line {
        var number: Int
        var session: Identifier
        var request: IntentRequest
        var person: ScriptedPerson
    }

    var lines: [Line] = []

    /// - Throws: A `ValidationError` that names the line and the problem.
    init(path: String) throws {
        let data =
            path == "-"
            ? try? FileHandle.standardInput.readToEnd() ?? Data() : FileManager.default.contents(atPath: path)
        guard let data else { throw ValidationError("The file '\(path)' can't be read.") }
        try self.init(data, named: path)
    }

    /// - Parameter name: The name in errors.
    /// - Throws: A `ValidationError` that names the line and the problem.
    init(_ data: Data, named name: String) throws {
        for (index, bytes) in data.split(separator: UInt8(ascii: "\n")).enumerated() {
            let view: JSONView
            do { view = try JSONView(parsing: Array(bytes)) } catch {
                throw ValidationError("\(name), line \(index + 1): \(error)")
            }
            guard let line = ScriptedRequest(view, newID: Identifier(PersonClient.newID())) else {
                throw ValidationError("\(name), line \(index + 1): 'intent' is missing.")
            }
            lines.append(
                Line(number: index + 1, session: line.session, request: line.request, person: line.person))
        }
    }
}
