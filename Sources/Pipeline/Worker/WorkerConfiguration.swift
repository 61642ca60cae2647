public import IntentEvents
public import IntentModel

/// The configuration of a worker.
public struct WorkerConfiguration: Sendable {
    public var topics: Topics
    public var phase: Phase
    /// Works for the app: takes what `handleInApp` sends on, and the intents that only an app supports.
    public var isInApp: Bool
    /// The service that it belongs to, whose work alone it takes; `nil` for the default service.
    public var service: String?
    /// Names this process in `ce_source`.
    public var instance = ""
    /// Tells this run of this process from every other, also from those before it on the same machine: what asks for permission to call a handler
    /// once is told apart by it. Defaults to a random one; must not be used twice.
    public var incarnation = String(UInt64.random(in: .min ... .max), radix: 36)
    /// How many partitions its topic has, for metrics; `nil` if that is not known.
    public var partitions: Int32?
    /// Jobs that were begun and are not finished. As many again may wait for the permission to call a handler once.
    public var maximumInFlight = 1_024
    /// Records taken beyond these, which wait for one of them, or for an earlier one of their session. When there are as many, the partitions are paused, and
    /// polling goes on: only cancels are read then.
    ///
    /// librdkafka before 2.4 takes up to a second until it reads on after a pause. Without some that wait, handlers would have nothing to do meanwhile.
    public var maximumWaiting = 4_096
    /// Bytes of outcomes that the client has no room for. Beyond it the partitions are paused, and progress reports and live updates are left out;
    /// outcomes of handlers that are running, of at most 256 KiB each, are always kept.
    public var maximumUnsentBytes = 32 << 20
    /// How long the partitions are paused before cancels are read ahead of the work that there is no room for.
    public var lookAheadDelay: Duration = .seconds(1)
    /// How long after the coordinator has stopped waiting for an outcome a handler is cancelled. It makes up for clocks that differ and for
    /// cancels that are on their way.
    public var deadlineGrace: Duration = .seconds(5)
    /// How long a cancelled handler may take to return, counted from the cancel or, if the cancel gives time to clean up, from the end of that time.
    /// A handler that takes longer is abandoned: its slot, its session's lane and its record's offset are given up. It goes on without them.
    public var abandonGrace: Duration = .seconds(5)
    /// Handlers that go on without a slot; each one beyond takes a slot again. When all slots are taken by them, ``Worker/step(timeout:)`` throws, because
    /// only a new process can work again.
    public var maximumAbandoned = 1_024
    /// How often finished work is committed. A crash repeats at most that much of it.
    public var commitInterval: Duration = .milliseconds(50)
    /// How long the group waits in a rebalance for handlers that are about to return, and then as long again at most for the commit of what they
    /// have finished. All members of the group wait with it, so it is short. A handler that takes longer goes on; it is repeated only if its
    /// partition goes to another worker.
    public var drainTimeout: Duration = .seconds(1)

    public init(topics: Topics = Topics(), phase: Phase, isInApp: Bool = false) {
        self.topics = topics
        self.phase = phase
        self.isInApp = isInApp
    }

    /// What people call it: `resolver`, `confirmer` or `handler`; with `app-` before it in the app.
    public var role: String {
        switch phase {
        case .resolve: isInApp ? "app-resolver" : "resolver"
        case .confirm: isInApp ? "app-confirmer" : "confirmer"
        case .handle: isInApp ? "app-handler" : "handler"
        }
    }

    /// The `ce_source` of what it writes.
    public var source: String { instance.isEmpty ? "/intents/\(role)" : "/intents/\(role)/\(instance)" }

    public var topic: String { topics.work(phase, inApp: isInApp) }

    /// The group and topics that the worker's client has to join.
    public var group: (id: String, topics: [String]) { (ServiceName.group(role, of: service, topics: topics), [topic]) }
}
