import Conversation
import Foundation
import IntentModel

@testable import IntentCommands

/// The requests that people make: the sample domain's day of ride requests, repeated, two in each session.
enum Script {
    private static let lines: [RequestFile.Line] = {
        let path = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "../../Examples/Rides/Resources/requests.jsonl"
        ).path
        return (try? RequestFile(path: path).lines) ?? []
    }()

    /// The number of requests in a day.
    static var dayCount: Int { lines.count }

    static func day(named name: String, count: Int) -> [RequestFile.Line] {
        guard !lines.isEmpty else { return [] }
        return (0..<count).map { index in
            var line = lines[index % lines.count]
            line.session = "\(name)-\(index / 2)"
            line.request.id = "\(name)-\(index)-\(line.number)"
            return line
        }
    }

    /// Returns ride requests that lead to no prompt except their confirmation.
    static func plain(named name: String, count: Int, session: (Int) -> String) -> [RequestFile.Line] {
        let ride: KeyValuePairs<String, JSON> = [
            "pickup": .string("Heuston"), "dropOff": .string("Merrion Square"), "ride": .string("Economy"),
            "partySize": .number(1),
        ]
        let parameters = ride.map { ParameterState(name: $0, value: $1) }
        return (0..<count).map { index in
            RequestFile.Line(
                number: index + 1, session: Identifier(session(index)),
                request: IntentRequest(id: "\(name)-\(index)", intent: "RequestRide", parameters: parameters),
                person: ScriptedPerson(["confirmIntent": .string("yes")]))
        }
    }
}
