import Conversation
import Foundation
import IntentModel

@testable import intents

/// The requests that people make: the sample domain's day of ride requests, repeated, two in each session.
enum Script {
    private static let lines: Result<[RequestFile.Line], any Error> = Result {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return try RequestFile(path: root.appendingPathComponent("Examples/Rides/Resources/requests.jsonl").path).lines
    }

    /// The number of requests in a day.
    static var dayCount: Int { (try? lines.get().count) ?? 0 }

    static func day(named name: String, count: Int) -> [RequestFile.Line] {
        guard let lines = try? lines.get() else { return [] }
        return (0..<count).map { index in
            var line = lines[index % lines.count]
            line.session = "\(name)-\(index / 2)"
            line.request.id = "\(name)-\(index)-\(line.number)"
            return line
        }
    }

    /// Returns the number of the line from which a request of ``day(named:count:)`` was made.
    static func line(of request: String) -> Int? {
        let parts = request.split(separator: "-")
        return parts.count == 3 && parts[0] == "day" ? Int(parts[2]) : nil
    }

    /// Returns ride requests that lead to no prompt except their confirmation.
    static func plain(named name: String, count: Int, session: (Int) -> String) -> [RequestFile.Line] {
        let text = """
            {"intent":"RequestRide","parameters":{"pickup":"Heuston","dropOff":"Merrion Square","ride":"Economy","partySize":1},\
            "answers":{"confirmIntent":"yes"}}
            """
        guard let view = try? JSONView(parsing: Array(text.utf8)) else { return [] }
        let members = Dictionary(view.members.map { ($0.name, $0.value) }) { $1 }
        let parameters = (members["parameters"]?.members ?? []).map {
            ParameterState(name: $0.name, value: $0.value.json)
        }
        return (0..<count).map { index in
            RequestFile.Line(
                number: index + 1, session: Identifier(session(index)),
                request: IntentRequest(id: "\(name)-\(index)", intent: "RequestRide", parameters: parameters),
                members: members)
        }
    }
}
