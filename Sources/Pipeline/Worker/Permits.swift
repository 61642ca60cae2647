import Conversation
import DequeModule
import IntentEvents
import IntentModel

/// What a worker remembers of handlers that may be called once.
struct Permits {
    /// Steps whose permit was asked for are remembered, to know a copy of them.
    private static let remembered = 4_096

    /// Tells this run of this process from every other.
    private let incarnation: String
    /// When expired claims are looked for next; `nil` if there are no claims.
    var nextCheck: Instant?
    /// Jobs that were begun, and whose handlers were not called yet.
    private(set) var waiting = 0
    private var asked: Set<Identifier> = []
    private var order = Deque<Identifier>()
    /// Permitted. The handler is called after a commit that begins later than that.
    private var permitted: [Job] = []
    /// Permitted before the commit began that is under way.
    private var committing: [Job] = []

    init(incarnation: String) { self.incarnation = incarnation }

    /// Whether it is a copy of work whose permit was asked for here.
    func wasAsked(_ job: Job) -> Bool { asked.contains(Self.key(job.session, job.item)) }

    func wasAsked(_ item: WorkItem, session: Identifier) -> Bool {
        !asked.isEmpty && asked.contains(Self.key(session, item))
    }

    mutating func change(_ job: Job, to permit: Job.Permit) {
        let waited = job.waitsForPermit
        job.permit = permit
        waiting += (job.waitsForPermit ? 1 : 0) - (waited ? 1 : 0)
    }

    /// A unique claim.
    mutating func claim(_ job: Job) -> String {
        let key = Self.key(job.session, job.item)
        if asked.insert(key).inserted { order.append(key) }  // rule: repeatedWorkIsClaimedOnce
        if order.count > Self.remembered { asked.remove(order.removeFirst()) }
        return "\(incarnation).\(job.id)"  // rule: claimsAreUnique
    }

    /// The work is given back before there is a permit.
    mutating func forget(_ job: Job) {
        let key = Self.key(job.session, job.item)
        // Most were asked for shortly before.
        if asked.remove(key) != nil, let index = order.lastIndex(of: key) { order.remove(at: index) }
    }

    /// A session that was forgotten, and is opened again with a copy of its request, has the same steps with other tickets.
    private static func key(_ session: Identifier, _ item: WorkItem) -> Identifier {
        "\(Session.key(session: session, request: item.request)).\(item.step).\(item.ticket?.description ?? "")"
    }

    mutating func commitFirst(_ job: Job) { permitted.append(job) }

    mutating func beginCommit() {
        committing += permitted
        permitted = []
    }

    /// The commit under way has ended.
    mutating func takeCommitted() -> [Job] {
        defer { committing = [] }
        return committing
    }

    mutating func forget() {
        permitted = []
        committing = []
    }
}
