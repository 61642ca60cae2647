public import Conversation
public import IntentModel
public import RecordLog

/// What the records of `intents.catalog` say: which services serve which intents at present.
///
/// A record replaces an earlier one of its key, whether the log is compacted or not.
public struct Catalogue: Sendable {
    /// An intent, and the services that serve it.
    public struct Entry: Sendable, Hashable {
        public var intent: Identifier
        /// Those whose workers take its work: first the one that gets it.
        public var services: [Server]
        /// Those whose workers take its work in the app: first the one that gets it.
        public var appServices: [Server]
        /// What the first of them has published; `nil` if nothing can be read.
        public var published: PublishedIntent?

        /// What is remembered about its parameters; `nil` if nothing can be read.
        public var memory: IntentMemory?

        /// Whether only an app supports it.
        public var isInApp: Bool { services.isEmpty }
        /// Whether more than one service serves it, so that all but the first get no work.
        public var isContested: Bool { services.count > 1 || (services.isEmpty && appServices.count > 1) }
    }

    /// A service that serves an intent.
    public struct Server: Sendable, Hashable {
        /// `nil` for the default service.
        public var service: String?
        /// The highest version of its workers.
        public var version: String?
        /// How many workers it has.
        public var workers: Int
    }

    fileprivate struct Held {
        var lease: WorkerLease
        var sighting: Sighting
        /// When its process wrote it, by the process's clock; `nil` if it does not say.
        var written: Instant?
        /// The lead of the process's clock that the lease before showed.
        var leadBefore: Duration?
    }

    /// What a service has published about an intent.
    private struct Description {
        var memory: IntentMemory
        /// `nil` where descriptions are not kept.
        var published: PublishedIntent?
        /// The size of the record that it was read from.
        var bytes: Int
    }

    /// How many descriptions are kept.
    public static let maximumDescriptions = 10_000
    /// How large the records of the kept descriptions are in all.
    public static let maximumDescriptionBytes = 32 << 20

    private var descriptions: [CatalogueKey: Description] = [:]
    private var descriptionBytes = 0
    private var leases: [CatalogueKey: Held] = [:]
    /// When each partition was named last by a coordinator's lease.
    private(set) var owned: [Int32: Sighting] = [:]
    /// When each phase of a service was named last by a worker's lease.
    private(set) var taken: [ServicePhase: Sighting] = [:]
    /// The latest timestamp of a record that was in the log before the reader began.
    public private(set) var newestPast = Instant.earliest
    /// The latest timestamp of a record.
    public private(set) var newest = Instant.earliest
    private let keepsDescriptions: Bool
    private let trustsClock: Bool
    /// When the reader began, by its clock.
    let began: Instant
    /// How many descriptions were read and not kept, because there were too many: the intents are served, and shown by their names alone.
    public private(set) var leftOut = 0
    /// The number of left out descriptions when it was reported last, and the time of that.
    private var reported: (leftOut: Int, at: Instant)?

    /// - Parameters:
    ///   - keepsDescriptions: Whether it keeps what intents are, and not only who serves them and what is remembered about them.
    ///   - trustsClock: Whether the reader's clock decides as well how old past leases are, for a reader that does not stay until the next renewals.
    ///   - began: when the reader began, by its clock. What nobody owned before is no fault for ``patience``. Defaults to long ago.
    public init(keepsDescriptions: Bool = true, trustsClock: Bool = false, began: Instant = .earliest) {
        self.keepsDescriptions = keepsDescriptions
        self.trustsClock = trustsClock
        self.began = began
    }

    /// Whether no worker has a lease.
    public var isEmpty: Bool { leases.values.allSatisfy(\.lease.isOfCoordinator) }

    /// Takes a record that was read.
    ///
    /// - Parameters:
    ///   - now: the reader's clock. A lease counts from then on: what the sender's clock shows does not matter.
    ///   - isPast: whether the record was in the log before the reader began. Such a lease may be over; ``expire(at:)`` ends it.
    /// - Returns: Whether another process than before serves intents, a process serves other intents, or an intent has changed.
    /// - Throws: What is wrong with the record. It changes nothing.
    @discardableResult
    public mutating func take(_ record: ConsumedRecord, at now: Instant, isPast: Bool = false) throws(EventError)
        -> Bool
    {
        let taken = try CatalogueRecord(record)
        newest = max(newest, Instant(milliseconds: record.timestamp))
        if isPast { newestPast = newest }
        switch taken {
        case .intent(let intent):
            let new = Description(
                memory: IntentMemory(intent), published: keepsDescriptions ? intent : nil,
                bytes: record.value?.count ?? 0)
            return store(new, of: .intent(service: intent.service, name: intent.intent))
        case .lease(let lease, let renewed, let written):
            let sighting = Sighting(renewed: renewed, read: now, isPast: isPast)
            see(lease, sighting)
            let before = leases[taken.key]
            leases[taken.key] = Held(
                lease: lease, sighting: sighting, written: written, leadBefore: before?.clockLead)
            return before?.lease.serves(like: lease) != true
        case .withdrawn(let key):
            let wasPublished = removeDescription(of: key) != nil
            return leases.removeValue(forKey: key) != nil || wasPublished
        }
    }

    /// - Returns: `true` if the description is another one than before.
    private mutating func store(_ new: Description, of key: CatalogueKey) -> Bool {
        let before = removeDescription(of: key)
        func fits() -> Bool {
            descriptions.count < Self.maximumDescriptions
                && descriptionBytes + new.bytes <= Self.maximumDescriptionBytes
        }
        if !fits() { removeUnserved() }
        guard fits() else {
            leftOut += 1
            return before != nil
        }
        descriptions[key] = new
        descriptionBytes += new.bytes
        return before?.memory != new.memory || before?.published != new.published
    }

    private mutating func removeDescription(of key: CatalogueKey) -> Description? {
        let removed = descriptions.removeValue(forKey: key)
        descriptionBytes -= removed?.bytes ?? 0
        return removed
    }

    /// Makes room: what no worker serves is not shown.
    private mutating func removeUnserved() {
        var served: Set<CatalogueKey> = []
        for held in leases.values {
            for name in held.lease.intents + held.lease.inApp {
                served.insert(.intent(service: held.lease.service, name: name))
            }
        }
        for key in descriptions.keys where !served.contains(key) {
            _ = removeDescription(of: key)
            leftOut += 1
        }
    }

    /// A message for the log if descriptions were left out since the last message, at most one a minute.
    public mutating func complaint(at now: Instant) -> String? {
        guard leftOut > reported?.leftOut ?? 0 else { return nil }
        if let reported, reported.at.duration(to: now) < .seconds(60) { return nil }
        reported = (leftOut, now)
        let bounds = "\(Self.maximumDescriptions) of them, and \(Self.maximumDescriptionBytes >> 20) MiB"
        return """
            the catalogue has more descriptions of intents than are kept (\(bounds)), and \(leftOut) were left out: their intents are served, and \
            nothing is remembered or shown of their parameters. 'intents catalog' lists who has published what
            """
    }

    private mutating func see(_ lease: WorkerLease, _ sighting: Sighting) {
        for partition in lease.ownership?.partitions ?? [] { sighting.replaceOlder(in: &owned[partition]) }
        for phase in ServicePhase.names where lease.phases.contains(phase) {
            sighting.replaceOlder(in: &taken[ServicePhase(service: lease.service, phase: phase)])
        }
    }

    /// When a lease was renewed, by the reader's clock.
    ///
    /// The age of a past lease is judged by the log's clock, which the newest of the past records tells, and by the reader's. Either may be wrong: a reader that sees
    /// the next renewals takes it for as old as both say, and another one for as old as either says.
    func time(of sighting: Sighting) -> Instant {
        if !sighting.isPast { return sighting.read }
        let logged = newestPast, read = sighting.read
        let age = sighting.renewed.duration(to: trustsClock ? max(read, logged) : min(read, logged))
        return read.advanced(by: .zero - max(.zero, age))
    }

    /// Forgets the leases that are over: those that were not renewed for their time.
    ///
    /// - Parameter now: the reader's clock.
    /// - Returns: Whether there was one.
    public mutating func expire(at now: Instant) -> Bool {
        let over = leases.filter { time(of: $1.sighting).advanced(by: .milliseconds($1.lease.validFor)) <= now }
        return forget(over.keys)
    }

    /// Forgets the past leases that their processes should have renewed meanwhile, for a reader that can't trust its clock.
    ///
    /// - Parameter duration: how long the reader has waited for renewals.
    public mutating func forgetUnrenewed(after duration: Duration) {
        let unrenewed = leases.filter { $1.sighting.isPast && .milliseconds($1.lease.renewal) < duration }
        _ = forget(unrenewed.keys)
    }

    private mutating func forget(_ over: some Collection<CatalogueKey>) -> Bool {
        if over.isEmpty { return false }
        for key in over { leases[key] = nil }
        let services = Set(leases.values.map(\.lease.service))
        taken = taken.filter { services.contains($0.key.service) }
        return true
    }

    /// The same catalogue for a reader whose clock is the broker's. For this reader, it is ``newest``.
    public var byLogTime: Catalogue {
        var logged = self
        for (key, held) in leases { logged.leases[key]?.sighting = held.sighting.byLogTime }
        logged.owned = owned.mapValues(\.byLogTime)
        logged.taken = taken.mapValues(\.byLogTime)
        return logged
    }

    /// Whether a lease was renewed since the reader began.
    public var hasRenewals: Bool { leases.values.contains { !$0.sighting.isPast } }

    /// The processes that have a lease, in no order.
    public var processes: [Process] {
        leases.values.map { held in
            Process(
                lease: held.lease, seen: time(of: held.sighting), renewed: held.sighting.renewed,
                written: held.written ?? held.sighting.renewed, clockLead: held.steadyLead)
        }
    }

    /// All intents that are served, by name. Each worker with a lease counts.
    public var entries: [Entry] { entries { _ in true } }

    /// All intents that are served, by name. Workers that are late with renewing their leases don't count.
    ///
    /// - Parameter now: the reader's clock.
    public func entries(at now: Instant) -> [Entry] { entries { !$0.isLate(at: now) } }

    private func entries(counting counts: (Process) -> Bool) -> [Entry] {
        var servers: [Identifier: [Server]] = [:]
        var appServers: [Identifier: [Server]] = [:]
        for process in processes {
            let workers = counts(process) ? 1 : 0
            for name in Set(process.lease.intents) { servers[name, default: []].add(process.lease, workers) }
            for name in Set(process.lease.inApp) { appServers[name, default: []].add(process.lease, workers) }
        }
        return Set(servers.keys).union(appServers.keys).sorted().map { name in
            let services = (servers[name] ?? []).sorted(by: Server.precedes)
            var appServices = (appServers[name] ?? []).sorted(by: Server.precedes)
            // The extension's service hands over to its own app, if it has one.
            if let own = appServices.firstIndex(where: { $0.service == services.first?.service }), !services.isEmpty {
                appServices.insert(appServices.remove(at: own), at: 0)
            }
            let keys = (services + appServices).map { CatalogueKey.intent(service: $0.service, name: name) }
            var entry = Entry(intent: name, services: services, appServices: appServices)
            entry.published = keys.lazy.compactMap { descriptions[$0]?.published }.first
            entry.memory = keys.lazy.compactMap { descriptions[$0]?.memory }.first
            return entry
        }
    }
}

extension Catalogue.Entry {
    /// Where work of the intent goes.
    public var route: IntentRoute {
        let service = services.first?.service
        return IntentRoute(
            service: service, appService: appServices.isEmpty ? service : appServices[0].service, isInApp: isInApp)
    }
}

extension Catalogue.Server {
    /// The highest version is first; of equal ones, the first name.
    fileprivate static func precedes(_ a: Self, _ b: Self) -> Bool {
        let (left, right) = (ServiceVersion(a.version), ServiceVersion(b.version))
        if left != right { return left > right }
        return a.service ?? "" < b.service ?? ""
    }
}

extension [Catalogue.Server] {
    fileprivate mutating func add(_ lease: WorkerLease, _ workers: Int) {
        guard let index = firstIndex(where: { $0.service == lease.service }) else {
            return append(.init(service: lease.service, version: lease.version, workers: workers))
        }
        self[index].workers += workers
        if ServiceVersion(self[index].version) < ServiceVersion(lease.version) { self[index].version = lease.version }
    }
}

extension Catalogue.Held {
    /// The lead of the process's clock over the broker's; negative if it is behind. A lease that has waited for the broker looks as if it were.
    fileprivate var clockLead: Duration { written.map { sighting.renewed.duration(to: $0) } ?? .zero }

    /// The lead that two leases show, where one alone may have waited.
    fileprivate var steadyLead: Duration { clockLead < .zero ? max(clockLead, leadBefore ?? clockLead) : clockLead }
}
