import RecordLog

/// A record of the input that is decided on, while the log does not have yet what is told of it beside the journal.
///
/// The journal's stamps name it until then, so that after a crash the next owner tells it.
struct OpenInput {
    let offset: Int64
    let input: JournalInput
    /// The dead letter; `nil` if it is told with a rejection outside of a session.
    var letter: UnreadableRecord?
    /// A rejection that waits for the journal.
    var rejection: Record?

    var bytes: Int {
        guard let record = letter?.record else { return 0 }
        return (record.value?.count ?? 0)
            + record.headers.reduce(0) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
    }
}

/// The open input of one partition. It is bounded, because stamps name it and unreadable records are in memory; past the bounds, input waits.
struct OpenInputs {
    /// Stamps have some ten bytes for each.
    static let maximumCount = 128
    static let maximumBytes = 8 << 20

    private var all: [UInt64: OpenInput] = [:]
    private var bytes = 0
    private var last: UInt64 = 0

    var isEmpty: Bool { all.isEmpty }
    var isFull: Bool { all.count >= Self.maximumCount || bytes >= Self.maximumBytes }

    /// - Returns: The number by which its acknowledgement is known.
    mutating func insert(_ input: OpenInput) -> UInt64 {
        last = (last + 1) & 0xFFFF_FFFF
        all[last] = input
        bytes += input.bytes
        return last
    }

    /// The numbers of those that are told with a dead letter, oldest first.
    var letters: [UInt64] {
        all.filter { $0.value.letter != nil }.keys.sorted { all[$0]?.offset ?? 0 < all[$1]?.offset ?? 0 }
    }

    subscript(_ number: UInt64) -> OpenInput? {
        get { all[number] }
        set {
            bytes += (newValue?.bytes ?? 0) - (all[number]?.bytes ?? 0)
            all[number] = newValue
        }
    }
}
