/// The place of a dead letter as people write it: `3/42` is offset 42 of partition 3.
public struct DeadLetterPlace: Sendable, Hashable, Comparable, CustomStringConvertible {
    public var partition: Int32
    public var offset: Int64

    public init(partition: Int32, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// `nil` if the text is not that.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), let offset = Int64(parts[1]), partition >= 0,
            offset >= 0, offset < .max
        else {
            return nil
        }
        self.init(partition: partition, offset: offset)
    }

    public static func < (a: Self, b: Self) -> Bool { (a.partition, a.offset) < (b.partition, b.offset) }
    public var description: String { "\(partition)/\(offset)" }
}
