import Conversation
import IntentEvents
import IntentModel

/// A session in a coordinator's memory.
final class SessionEntry {
    /// As it is in the journal.
    var journaled: JournaledSession
    /// When the partition's heap has it down for.
    var timer: Instant?
    /// How fast events without a principal come.
    var rate = SenderRate()
    /// How fast events come from producers that are not trusted to speak for the person.
    var producerRate = SenderRate()

    /// Records of changes of what is remembered about its owner that are not acknowledged.
    var changesUnderWay = 0
    /// The number of the last change that was sent, and of the last one that is in the journal.
    var changesSent = 0, changesJournaled = 0
    /// The number of the last change that an earlier owner has decided.
    var changesTakenOver = 0

    /// The size of the session's last value in the journal; `nil` if it is not known.
    var bytes: Int?

    init(_ journaled: JournaledSession) { self.journaled = journaled }

    /// Yields the session without copying it. Through a property, a call of one of its functions would copy it first.
    func look<Result>(_ body: (Session) -> Result) -> Result { Self.look(&journaled.session, body) }

    private static func look<Result>(_ session: inout Session, _ body: (Session) -> Result) -> Result {
        body(session)
    }

    /// The format of its record in the journal.
    var format: Int { Self.format(&journaled) }

    private static func format(_ journaled: inout JournaledSession) -> Int { journaled.format }

    var session: Session { _read { yield journaled.session } }

    /// Results not known to be acknowledged, oldest first.
    var unacknowledged: [EncodedResult] { journaled.unacknowledged }

    /// Whether the log has all that was told of it, and all that it has changed in the memory for its owner.
    var isAcknowledged: Bool { unacknowledged.isEmpty && changesUnderWay == 0 && changesSent >= changesJournaled }

    var unacknowledgedBytes: Int { unacknowledged.reduce(0) { $0 + $1.data.bytes.count } }
}

struct SessionTimer: Comparable {
    var at: Instant
    var session: Identifier

    static func < (a: SessionTimer, b: SessionTimer) -> Bool { (a.at, a.session) < (b.at, b.session) }
}

struct ResultID: Hashable {
    var session: Identifier
    var sequence: Int
}
