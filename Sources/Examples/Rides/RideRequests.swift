/// Ride requests as a city sees them in a day, with what a scripted person answers. The format stands in this folder's README.
public enum RideRequests {
    /// The lines of `requests.jsonl`, each one JSON object.
    public static let all: [String] = String(decoding: PackageResources.requests_jsonl, as: UTF8.self)
        .split(separator: "\n").map(String.init)
}
