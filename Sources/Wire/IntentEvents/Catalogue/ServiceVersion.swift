/// A version as services name it, to compare with another: by its numbers, part by part.
struct ServiceVersion: Comparable {
    private let parts: [Substring]

    init(_ text: String?) { parts = (text ?? "").split { $0 == "." || $0 == "-" || $0 == "+" } }

    static func < (a: ServiceVersion, b: ServiceVersion) -> Bool {
        for (a, b) in zip(a.parts, b.parts) where a != b {
            guard let left = UInt64(a), let right = UInt64(b) else { return a < b }
            if left != right { return left < right }
        }
        return a.parts.count < b.parts.count
    }
}
