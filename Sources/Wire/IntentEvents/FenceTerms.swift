import IntentModel
public import RecordLog

/// The value of a fence: what must be as it was for the journal to be continued.
public struct FenceTerms: Sendable, Hashable {
    /// How many partitions each topic of the pipeline had; `nil` in fences of versions that did not say.
    public var partitions: Int32?

    public init(partitions: Int32?) { self.partitions = partitions }

    /// The value of the record.
    public var bytes: Bytes {
        var writer = JSONWriter(reserving: 32)
        writer.beginObject()
        if let partitions { writer.member("partitions", Int(partitions)) }
        writer.endObject()
        return writer.bytes
    }

    /// The terms of a fence in the log; without any, if the value can't be read.
    public init(_ value: Bytes?) {
        let view = value.flatMap { try? JSONView(parsing: $0, limits: .journal) }
        self.init(partitions: view?["partitions"]?.int.flatMap { Int32(exactly: $0) })
    }
}
