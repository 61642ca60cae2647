/// Names that someone may have meant who has written another one.
public enum NearNames {
    /// Up to three of these names that differ from the text in few letters, the nearest first.
    public static func of(_ text: String, in names: some Sequence<String>) -> [String] {
        let wanted = Array(text.lowercased().utf8.prefix(maximumLength))
        let limit = max(1, wanted.count / 3)
        let near = names.compactMap { name -> (distance: Int, name: String)? in
            let other = Array(name.lowercased().utf8.prefix(maximumLength))
            guard abs(other.count - wanted.count) <= limit else { return nil }
            let distance = distance(wanted, other)
            return distance <= limit ? (distance, name) : nil
        }
        return near.sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }.prefix(3).map(\.name)
    }

    private static let maximumLength = 64

    /// The letters that have to be added, removed, replaced or swapped with the next one.
    private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var before: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, before[j - 1] + 1) }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[b.count]
    }
}
