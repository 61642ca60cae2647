/// A place in `intents.results` or another topic that gateways follow: the partition and the offset, written as
/// `2:1234`. The offset -1 is before the first record.
package struct LogPosition: Sendable, Hashable, CustomStringConvertible {
    package var partition: Int32
    package var offset: Int64

    package init(partition: Int32, offset: Int64) {
        self.partition = partition
        self.offset = offset
    }

    /// - Returns: `nil` unless the text is a partition and an offset.
    package init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let partition = Int32(parts[0]), let offset = Int64(parts[1]), partition >= 0,
            (-1..<Int64.max).contains(offset),
            "\(partition):\(offset)" == text
        else { return nil }
        self.init(partition: partition, offset: offset)
    }

    package var description: String { "\(partition):\(offset)" }
}
