import Foundation

/// The ride requests of a day in a city, with the answers of a scripted person. README.md of the sample domain
/// describes the format.
enum RideRequests {
    /// The lines of `requests.jsonl`, each one JSON object.
    static let all: [String] = {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appending(path: "Examples/Rides/Resources/requests.jsonl")
        return ((try? String(contentsOf: file, encoding: .utf8)) ?? "").split(separator: "\n").map(String.init)
    }()
}
