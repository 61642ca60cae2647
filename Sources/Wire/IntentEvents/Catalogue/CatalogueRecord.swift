public import Conversation
import IntentModel
public import RecordLog

/// A record of `intents.catalog`.
public enum CatalogueRecord: Sendable, Hashable {
    /// `intent.served.v1`: what an intent is.
    case intent(PublishedIntent)
    /// `worker.serving.v1`: who serves which intents, the record's timestamp, and the time at which the process has written it by its own clock, if it says so.
    case lease(WorkerLease, renewed: Instant, written: Instant?)
    /// Nothing is said any more under this key.
    case withdrawn(CatalogueKey)

    /// - Throws: ``EventError`` that says what is wrong with it. Readers pass such a record over.
    public init(_ record: ConsumedRecord) throws(EventError) {
        guard let key = record.key.flatMap(CatalogueKey.init) else {
            throw EventError(
                .invalid, "a key of the catalogue is intent/SERVICE/INTENT or worker/SERVICE/INSTANCE", field: "key",
                isDeadLetter: false)
        }
        guard record.value != nil else {
            self = .withdrawn(key)
            return
        }
        let event = try CloudEvent(record, limits: .journal)
        switch event.type {
        case .served: self = .intent(try PublishedIntent(event.data))
        case .serving:
            let lease = try WorkerLease(event.data)
            let written = record.header("ce_time").flatMap { String(validating: $0, as: UTF8.self) }
            self = .lease(
                lease, renewed: Instant(milliseconds: max(0, record.timestamp)),
                written: written.flatMap { Instant(rfc3339: $0) })
        default: throw .unknownType(event.typeName, "no event of the catalogue")
        }
        guard key == self.key else {
            throw EventError(
                .invalid, "the key is '\(key.text)', and the value belongs to '\(self.key.text)'", field: "key",
                isDeadLetter: false)
        }
    }

    public var key: CatalogueKey {
        switch self {
        case .intent(let intent): .intent(service: intent.service, name: intent.intent)
        case .lease(let lease, _, _): .worker(service: lease.service, instance: lease.instance)
        case .withdrawn(let key): key
        }
    }
}

extension EventEncoder {
    /// The record of an intent in the catalogue.
    public mutating func record(_ intent: PublishedIntent, topics: Topics, at now: Instant) -> Record {
        record(.intent(service: intent.service, name: intent.intent), .served, intent.json, topics, now)
    }

    /// The record of a lease in the catalogue.
    public mutating func record(_ lease: WorkerLease, topics: Topics, at now: Instant) -> Record {
        record(.worker(service: lease.service, instance: lease.instance), .serving, lease.json, topics, now)
    }

    /// The record that withdraws what was said under a key.
    public func withdrawal(of key: CatalogueKey, topics: Topics, at now: Instant) -> Record {
        Record(
            topic: topics.catalog, partition: nil, key: key.bytes, value: nil, headers: [], timestamp: now.milliseconds)
    }

    private mutating func record(
        _ key: CatalogueKey, _ type: EventType, _ value: JSON, _ topics: Topics, _ now: Instant
    ) -> Record {
        let id = Bytes("\(key.text)@\(now.milliseconds)".utf8)
        return Record(
            topic: topics.catalog, partition: nil, key: key.bytes, value: value.bytes,
            headers: headers(type, id: id, subject: nil, at: now, trace: nil), timestamp: now.milliseconds)
    }
}

extension PublishedIntent {
    fileprivate init(_ data: JSONView) throws(EventError) {
        let intent = try data.text("intent")
        self.init(
            service: try data.service, version: try data.optionalText("version"), intent: Identifier(intent),
            title: data["title"]?.string ?? intent,
            details: data.values.filter { !Self.own.contains($0.key) })
        guard EventBounds.intent ~= intent.utf8.count else {
            throw .invalid("'intent' has at most 128 bytes", "intent")
        }
    }
}

extension WorkerLease {
    fileprivate init(_ data: JSONView) throws(EventError) {
        func names(_ member: String) throws(EventError) -> [String] {
            guard let view = data[member], !view.isNull else { return [] }
            let names = view.elements.compactMap(\.string)
            guard view.kind == .array, names.count == view.elements.count,
                names.allSatisfy({ EventBounds.intent ~= $0.utf8.count })
            else {
                throw .invalid("'\(member)' is a list of names", member)
            }
            return names
        }
        self.init(
            service: try data.service, instance: try data.text("instance"), version: try data.optionalText("version"),
            intents: try names("intents").map { Identifier($0) }, inApp: try names("inApp").map { Identifier($0) },
            phases: try names("phases"), renewal: Self.unstatedRenewal)
        if let view = data["validFor"], !view.isNull {
            guard let milliseconds = view.int, 1...Self.maximumDuration ~= milliseconds else {
                throw .invalid("'validFor' is a number of milliseconds, at most \(Self.maximumDuration)", "validFor")
            }
            validFor = milliseconds
        }
        if let text = try data.optionalText("started") {
            guard Instant(rfc3339: text) != nil else {
                throw .invalid("'started' is a time such as 2026-03-01T12:00:00Z", "started")
            }
            started = text
        }
        if let view = data["renewal"], !view.isNull {
            guard let milliseconds = view.int, 1...Self.maximumDuration ~= milliseconds else {
                throw .invalid("'renewal' is a number of milliseconds, at most \(Self.maximumDuration)", "renewal")
            }
            renewal = milliseconds
        }
        ownership = try Ownership(data)
    }
}

extension WorkerLease.Ownership {
    /// - Returns: `nil` if the lease does not say which partitions its process owns.
    fileprivate init?(_ data: JSONView) throws(EventError) {
        guard let view = data["partitions"], !view.isNull else { return nil }
        let numbers = view.elements.compactMap(\.partition)
        guard view.kind == .array, numbers.count == view.elements.count, numbers.count <= Self.maximumPartitions else {
            throw .invalid(
                "'partitions' is a list of at most \(Self.maximumPartitions) numbers of partitions", "partitions")
        }
        self.init(partitions: numbers)
        guard let view = data["stalls"], !view.isNull else { return }
        guard view.kind == .array, view.elements.count <= Self.maximumStalls else {
            throw .invalid("'stalls' is a list of at most \(Self.maximumStalls) partitions", "stalls")
        }
        for element in view.elements {
            guard let partition = element["partition"]?.partition,
                let since = element["since"]?.string.flatMap({ Instant(rfc3339: $0) }),
                let problem = element["problem"]?.string, 1...WorkerLease.Stall.maximumLength ~= problem.utf8.count
            else {
                throw .invalid("an element of 'stalls' has a partition, a time 'since' and a problem", "stalls")
            }
            stalls.append(WorkerLease.Stall(partition: partition, since: since, problem: problem))
        }
    }
}

extension JSONView {
    /// The number of a partition; `nil` if it is none.
    fileprivate var partition: Int32? { int.flatMap { Int32(exactly: $0) }.flatMap { $0 < 0 ? nil : $0 } }
}

extension JSONView {
    /// The service that an event of the catalogue is about; `nil` for the default service.
    fileprivate var service: String? {
        get throws(EventError) {
            guard let name = try optionalText("service"), name != ServiceName.ofDefault else { return nil }
            guard ServiceName.isName(name) else {
                throw .invalid("'service' has 1 to 64 lower-case letters, digits and hyphens", "service")
            }
            return name
        }
    }
}
