import RecordLog

/// The header of each journal record: who wrote it, and the positions at that time.
public struct JournalStamp: Sendable, Hashable, CustomStringConvertible {
    /// Grows by one with each owner of the partition.
    public var epoch: Int
    /// The process that wrote it.
    public var owner: String
    /// Counts the owner's records in this partition, from 1.
    public var number: Int
    /// The offset in `intents.requests` after the input that led to this record.
    public var requests: Int64
    /// The offset in `intents.outcomes` after the input that led to this record.
    public var outcomes: Int64
    /// All effects of journal records before this offset were acknowledged.
    public var settled: Int64
    /// The results of records from `settled` on are in `intents.results` at this offset or later, if at all.
    public var results: Int64

    public init(epoch: Int, owner: String, number: Int, requests: Int64, outcomes: Int64, settled: Int64, results: Int64) {
        self.epoch = epoch
        self.owner = owner
        self.number = number
        self.requests = requests
        self.outcomes = outcomes
        self.settled = settled
        self.results = results
    }

    public var description: String { String(decoding: bytes, as: UTF8.self) }

    /// The text in the header of every record.
    var bytes: Bytes {
        var bytes = Bytes()
        bytes.reserveCapacity(160)
        func append(_ name: StaticString, _ value: Int64) {
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            bytes.append(contentsOf: String(value).utf8)
        }
        append("epoch=", Int64(epoch))
        bytes.append(contentsOf: " owner=".utf8)
        bytes.append(contentsOf: owner.utf8)
        append(" number=", Int64(number))
        append(" requests=", requests)
        append(" outcomes=", outcomes)
        append(" settled=", settled)
        append(" results=", results)
        return bytes
    }

    /// `nil` if a part is missing, or a number is negative or 2⁵³ and more.
    public init?(_ text: String) {
        var fields: [Substring: Substring] = [:]
        for pair in text.split(separator: " ") {
            guard let equals = pair.firstIndex(of: "=") else { return nil }
            fields[pair[..<equals]] = pair[pair.index(after: equals)...]
        }
        // What a JSON number can say exactly: nothing counts that far, and there is room to count on.
        func number(_ name: Substring) -> Int64? { fields[name].flatMap { Int64($0) }.flatMap { 0..<1 << 53 ~= $0 ? $0 : nil } }
        guard let epoch = number("epoch"), let owner = fields["owner"], let count = number("number"), let requests = number("requests"),
            let outcomes = number("outcomes"), let settled = number("settled"), let results = number("results")
        else { return nil }
        self.init(
            epoch: Int(epoch), owner: String(owner), number: Int(count), requests: requests, outcomes: outcomes, settled: settled,
            results: results)
    }
}
