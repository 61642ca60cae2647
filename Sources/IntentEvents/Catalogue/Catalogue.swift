public import Conversation
public import RecordLog

/// What the records of `intents.catalog` say: which services serve which intents at present.
///
/// A record replaces an earlier one of its key, whether the log is compacted or not.
public struct Catalogue: Sendable {
    /// An intent, and the services that serve it.
    public struct Entry: Sendable, Hashable {
        public var intent: String
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
        var expires: Instant
    }

    private var published: [CatalogueKey: PublishedIntent] = [:]
    private var memories: [CatalogueKey: IntentMemory] = [:]
    private var leases: [CatalogueKey: Held] = [:]
    private let keepsDescriptions: Bool

    /// - Parameter keepsDescriptions: Whether it keeps what intents are, and not only who serves them and what is remembered about them.
    public init(keepsDescriptions: Bool = true) { self.keepsDescriptions = keepsDescriptions }

    /// Whether no worker has a lease.
    public var isEmpty: Bool { leases.isEmpty }

    /// Takes a record that was read.
    ///
    /// - Parameter now: a lease that is over by then is not taken.
    /// - Returns: Whether someone serves other intents than before, or an intent has changed.
    /// - Throws: What is wrong with the record. It changes nothing.
    @discardableResult
    public mutating func take(_ record: ConsumedRecord, at now: Instant) throws(EventError) -> Bool {
        switch try CatalogueRecord(record) {
        case .intent(let intent):
            let key = CatalogueKey.intent(service: intent.service, name: intent.intent)
            let memory = IntentMemory(intent)
            let hasChanged = memories.updateValue(memory, forKey: key) != memory
            guard keepsDescriptions else { return hasChanged }
            return published.updateValue(intent, forKey: key) != intent
        case .lease(let lease, let expires):
            let key = CatalogueKey.worker(service: lease.service, instance: lease.instance)
            guard expires > now else { return leases.removeValue(forKey: key) != nil }
            let before = leases.updateValue(Held(lease: lease, expires: expires), forKey: key)
            return before?.lease != lease
        case .withdrawn(let key):
            let wasPublished = memories.removeValue(forKey: key) != nil
            published[key] = nil
            return leases.removeValue(forKey: key) != nil || wasPublished
        }
    }

    /// Forgets the leases that are over.
    ///
    /// - Returns: Whether there was one.
    public mutating func expire(at now: Instant) -> Bool {
        let count = leases.count
        leases = leases.filter { $0.value.expires > now }
        return leases.count < count
    }

    /// The worker processes that have a lease, in no order, and until when it counts.
    public var workers: [(lease: WorkerLease, expires: Instant)] { leases.values.map { ($0.lease, $0.expires) } }

    /// All intents that are served, by name.
    public var entries: [Entry] {
        var servers: [String: [Server]] = [:]
        var appServers: [String: [Server]] = [:]
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
            entry.published = keys.lazy.compactMap { published[$0] }.first
            entry.memory = keys.lazy.compactMap { memories[$0] }.first
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
