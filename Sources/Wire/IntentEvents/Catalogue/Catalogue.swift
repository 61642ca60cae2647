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
        /// How many of its workers have a lease.
        public var workers: Int
    }

    private struct Held {
        var lease: WorkerLease
        /// The timestamp of its last renewal, by the log's clock.
        var renewed: Instant
        /// The end by the reader's clock: the reader has seen no renewal since.
        var expires: Instant
        /// Whether it was in the log before the reader began, so that it is older than the reader has known it.
        var isPast: Bool
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
    /// The latest timestamp of a record.
    private var newest = Instant.earliest
    private let keepsDescriptions: Bool
    /// How many descriptions were read and not kept, because there were too many: the intents are served, and shown by their names alone.
    public private(set) var leftOut = 0
    /// The number of left out descriptions when it was reported last, and the time of that.
    private var reported: (leftOut: Int, at: Instant)?

    /// - Parameter keepsDescriptions: Whether it keeps what intents are, and not only who serves them and what is remembered about them.
    public init(keepsDescriptions: Bool = true) { self.keepsDescriptions = keepsDescriptions }

    /// Whether no worker has a lease.
    public var isEmpty: Bool { workers.isEmpty }

    /// Takes a record that was read.
    ///
    /// - Parameters:
    ///   - now: the reader's clock. A lease counts from then on: what the sender's clock shows does not matter.
    ///   - isPast: whether the record was in the log before the reader began. Such a lease may be over; ``expire(at:trustsClock:)`` ends it.
    /// - Returns: Whether someone serves other intents than before, or an intent has changed.
    /// - Throws: What is wrong with the record. It changes nothing.
    @discardableResult
    public mutating func take(_ record: ConsumedRecord, at now: Instant, isPast: Bool = false) throws(EventError)
        -> Bool
    {
        let taken = try CatalogueRecord(record)
        newest = max(newest, Instant(milliseconds: record.timestamp))
        switch taken {
        case .intent(let intent):
            let new = Description(
                memory: IntentMemory(intent), published: keepsDescriptions ? intent : nil,
                bytes: record.value?.count ?? 0)
            return store(new, of: .intent(service: intent.service, name: intent.intent))
        case .lease(let lease, let renewed):
            let held = Held(
                lease: lease, renewed: renewed, expires: now.advanced(by: .milliseconds(lease.validFor)), isPast: isPast
            )
            return leases.updateValue(held, forKey: taken.key)?.lease != lease
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

    /// Forgets the leases that are over: those that the reader has not seen renewed for their time, and those that were over before it began. The latter are
    /// judged by the log's clock, which the newest record tells, and by the reader's: a lease is over when both say so, since either may be wrong.
    ///
    /// - Parameters:
    ///   - now: the reader's clock.
    ///   - trustsClock: whether the reader's clock alone decides what was over before, for a reader that does not stay until the next renewals.
    /// - Returns: Whether there was one.
    public mutating func expire(at now: Instant, trustsClock: Bool = false) -> Bool {
        let count = leases.count
        let past = trustsClock ? now : min(now, newest)
        leases = leases.filter { _, held in
            let wasOver = held.isPast && held.renewed.advanced(by: .milliseconds(held.lease.validFor)) <= past
            return held.expires > now && !wasOver
        }
        return leases.count < count
    }

    /// The worker processes that have a lease, in no order, and until when it counts by the reader's clock.
    public var workers: [(lease: WorkerLease, expires: Instant)] {
        leases.values.filter { !$0.lease.isOfCoordinator }.map { ($0.lease, $0.expires) }
    }

    /// All intents that are served, by name.
    public var entries: [Entry] {
        var servers: [Identifier: [Server]] = [:]
        var appServers: [Identifier: [Server]] = [:]
        for held in leases.values {
            for name in Set(held.lease.intents) { servers[name, default: []].add(held.lease) }
            for name in Set(held.lease.inApp) { appServers[name, default: []].add(held.lease) }
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
    fileprivate mutating func add(_ lease: WorkerLease) {
        guard let index = firstIndex(where: { $0.service == lease.service }) else {
            return append(.init(service: lease.service, version: lease.version, workers: 1))
        }
        self[index].workers += 1
        if ServiceVersion(self[index].version) < ServiceVersion(lease.version) { self[index].version = lease.version }
    }
}
