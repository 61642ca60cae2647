import Conversation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("What keeps requests from making progress") struct PipelineFaultTests {
    private static let phases = ["resolve", "confirm", "handle"]
    private let topics = Topics()
    private var catalogue = Catalogue()
    private var encoder = EventEncoder(source: "/test")

    /// Takes the lease of a process that has started and has written it this many seconds after the beginning.
    private mutating func add(
        _ lease: WorkerLease, started: Int = 0, at seconds: Int = 0, ahead: Int = 0, isPast: Bool = false
    ) throws {
        var lease = lease
        lease.started = Examples.after(started).description
        var record = encoder.record(lease, topics: topics, at: Examples.after(seconds + ahead)).consumed()
        record.timestamp = Examples.after(seconds).milliseconds
        try catalogue.take(record, at: Examples.after(seconds), isPast: isPast)
    }

    private func worker(
        _ instance: String, _ phases: [String] = phases, intents: [Identifier] = ["OrderTea"],
        inApp: [Identifier] = [], service: String? = nil
    ) -> WorkerLease {
        WorkerLease(service: service, instance: instance, intents: intents, inApp: inApp, phases: phases)
    }

    private func coordinator(_ name: String, _ partitions: [Int32]?, stalls: [WorkerLease.Stall] = []) -> WorkerLease {
        var lease = WorkerLease.ofCoordinator(name, started: Examples.time)
        lease.ownership = partitions.map { WorkerLease.Ownership(partitions: $0, stalls: stalls) }
        return lease
    }

    private func faults(at seconds: Int = 0, partitions: Int32 = 4) -> [PipelineFault] {
        catalogue.faults(partitions: partitions, at: Examples.after(seconds))
    }

    private func kinds(at seconds: Int = 0) -> [PipelineFault.Kind] { faults(at: seconds).map(\.kind) }

    /// A pipeline of a coordinator and a worker that lacks nothing.
    private mutating func start() throws {
        try add(coordinator("c", [0, 1, 2, 3]))
        try add(worker("w"))
    }

    @Test mutating func `a pipeline whose processes renew their leases has no fault`() throws {
        try start()
        #expect(faults(at: 11).isEmpty)
        try add(coordinator("c", [0, 1, 2, 3]), at: 12)
        try add(worker("w"), at: 12)
        #expect(faults(at: 23).isEmpty)
    }

    @Test mutating func `a process is late after two missed renewals, and partitions and phases lack it`() throws {
        try start()
        #expect(kinds(at: 11).isEmpty)
        #expect(
            kinds(at: 12) == [.partitionsWithoutOwner] + Array(repeating: .phaseWithoutWorker, count: 3) + [
                .processLate, .processLate,
            ])
        let messages = faults(at: 14).map(\.message)
        #expect(
            messages[0]
                == "all 4 partitions have no coordinator, and their sessions wait; coordinator c, which owned some of them, was last seen 14 s ago"
        )
        #expect(messages[5].hasPrefix("coordinator c has not renewed its lease for 14 s"))
        #expect(messages[4].hasPrefix("worker w has not renewed its lease for 14 s"))
    }

    @Test
    mutating func
        `a process that tells another interval is late by that one, and one that tells none after two minutes`() throws
    {
        var slow = worker("slow")
        slow.renewal = 60_000
        try add(coordinator("c", [0, 1, 2, 3]), at: 120)
        try add(slow)
        #expect(kinds(at: 121).isEmpty && kinds(at: 122).contains(.processLate))
        var silent = encoder.record(worker("slow"), topics: topics, at: Examples.time).consumed()
        silent.value = Array(
            #"{"instance":"slow","intents":["OrderTea"],"phases":["resolve","confirm","handle"],"validFor":300000}"#
                .utf8)
        try catalogue.take(silent, at: Examples.time)
        #expect(kinds(at: 121).isEmpty && kinds(at: 122).contains(.processLate))
    }

    @Test mutating func `partitions that no live coordinator names are without an owner`() throws {
        try add(worker("w"))
        #expect(faults().map(\.message) == ["all 4 partitions have no coordinator, and their sessions wait"])
        try add(coordinator("a", [0]))
        try add(coordinator("b", [2]))
        #expect(faults().map(\.message) == ["partitions 1, 3 have no coordinator, and their sessions wait"])
        try add(coordinator("b", [2, 3]))
        #expect(faults().map(\.message) == ["partition 1 has no coordinator, and its sessions wait"])
        // One of an earlier version may own it.
        try add(coordinator("old", nil))
        #expect(faults().isEmpty)
    }

    @Test mutating func `while partitions and phases change hands, nothing lacks them for ten seconds`() throws {
        try start()
        try add(coordinator("c", []), at: 5)
        try add(worker("w", ["resolve"]), at: 5)
        #expect(kinds(at: 11).isEmpty)
        #expect(kinds(at: 12) == [.partitionsWithoutOwner, .phaseWithoutWorker, .phaseWithoutWorker])
        try add(coordinator("d", [0, 1, 2, 3]), at: 12)
        try add(worker("x", ["confirm", "handle"]), at: 12)
        #expect(kinds(at: 12).isEmpty)
    }

    @Test func `a reader that has just begun waits for the first owner`() {
        let catalogue = Catalogue(began: Examples.time)
        #expect(catalogue.faults(partitions: 4, at: Examples.after(11)).isEmpty)
        #expect(catalogue.faults(partitions: 4, at: Examples.after(12)).map(\.kind) == [.partitionsWithoutOwner])
    }

    @Test mutating func `a partition that stands still for ten seconds is a fault of its coordinator`() throws {
        let stalls = [
            WorkerLease.Stall(partition: 1, since: Examples.after(-4), problem: "records wait"),
            WorkerLease.Stall(partition: 3, since: Examples.after(-9), problem: "records wait"),
        ]
        try add(coordinator("c", [0, 1, 2, 3], stalls: stalls))
        try add(worker("w"))
        #expect(faults().isEmpty)
        #expect(
            faults(at: 1).map(\.message) == ["partition 3 of coordinator c has made no progress for 10 s: records wait"]
        )
        #expect(
            faults(at: 6).map(\.message) == [
                "partitions 1, 3 of coordinator c have made no progress for 15 s: records wait"
            ])
    }

    @Test mutating func `each phase of the intents of a service needs a live worker of this service`() throws {
        try add(coordinator("c", [0, 1, 2, 3]), at: 12)
        try add(worker("a", ["resolve"]))
        try add(worker("b", ["confirm", "handle"]), at: 12)
        #expect(kinds(at: 11).isEmpty && kinds(at: 12) == [.phaseWithoutWorker, .processLate])
        #expect(
            faults(at: 12)[0].message
                == "no live worker of the default service takes the phase resolve, and 1 intent waits for one")
        try add(worker("d", ["resolve"], service: "tea"), at: 12)
        #expect(
            faults(at: 12).filter { $0.kind == .phaseWithoutWorker }.map(\.message).contains {
                $0.contains("service tea takes the phase handle")
            })
        #expect(kinds(at: 12).count { $0 == .phaseWithoutWorker } == 3)
    }

    @Test mutating func `only intents that an app alone supports need workers of the phases in the app`() throws {
        try add(coordinator("c", [0, 1, 2, 3]))
        try add(worker("w"))
        try add(worker("app", ["handle-in-app"], intents: [], inApp: ["OrderTea"]))
        #expect(faults().isEmpty)
        try add(worker("app", ["handle-in-app"], intents: [], inApp: ["OrderTea", "ShowTeas"]))
        #expect(kinds() == [.phaseWithoutWorker, .phaseWithoutWorker])
    }

    @Test mutating func `a process that was started since replaces one that is late, one for one`() throws {
        try add(coordinator("c", [0, 1, 2, 3]), at: 30)
        try add(worker("a"), at: 10)
        try add(worker("b"), at: 10)
        try add(worker("e", ["handle"]), at: 10)
        try add(worker("old"), at: 30)
        #expect(kinds(at: 30) == [.processLate, .processLate, .processLate])
        try add(worker("new"), started: 14, at: 30)
        #expect(faults(at: 30).map { $0.message.prefix(8) } == ["worker b", "worker e"])
        // A replacement may do more.
        try add(worker("newer"), started: 15, at: 30)
        try add(worker("newest"), started: 16, at: 30)
        #expect(faults(at: 30).isEmpty)
    }

    @Test mutating func `a clock that differs from the broker's by more than ten seconds is a fault`() throws {
        try add(coordinator("c", [0, 1, 2, 3]), ahead: 10)
        try add(worker("w"), ahead: -11)
        #expect(faults().map(\.message) == ["the clock of worker w is 11 s behind the broker's"])
    }

    @Test mutating func `a lease that has waited for the broker is no clock that is behind`() throws {
        try start()
        try add(coordinator("c", [0, 1, 2, 3]), at: 30)
        try add(worker("w"), at: 30, ahead: -20)
        #expect(faults(at: 30).isEmpty)
        try add(worker("w"), at: 35, ahead: -20)
        #expect(faults(at: 35).map(\.kind) == [.clockApart])
    }

    @Test mutating func `what an ended process has left listed is not late, and lacks no phase`() throws {
        try add(coordinator("c", [0, 1, 2, 3]), at: 200)
        var ended = worker("w", [])
        ended.renewal = ended.validFor
        try add(ended)
        #expect(faults(at: 205).isEmpty)
    }

    @Test(arguments: [-9, 9])
    mutating func `a replacement is recognised although the clocks of its machine and of the reader differ`(ahead: Int)
        throws
    {
        try add(coordinator("c", [0, 1, 2, 3]), at: 30)
        try add(worker("old"), at: 10)
        try add(worker("new"), started: 12 + ahead, at: 30, ahead: ahead)
        #expect(faults(at: 30).isEmpty)
    }

    @Test mutating func `a thousand late processes and as many replacements are matched in a moment`() throws {
        try add(coordinator("c", [0, 1, 2, 3]), at: 30)
        for number in 0..<1_000 {
            try add(worker("old-\(number)"), at: 10)
            if number < 999 { try add(worker("new-\(number)"), started: 12, at: 30) }
        }
        #expect(kinds(at: 30) == [.processLate])
    }

    @Test(arguments: [false, true])
    mutating func `the age of leases that were there before is what the log tells`(trustsClock: Bool) throws {
        catalogue = Catalogue(trustsClock: trustsClock)
        try add(worker("gone"), at: -12, isPast: true)
        try add(coordinator("c", [0, 1, 2, 3]), at: -1, isPast: true)
        try add(worker("w"), at: 0, isPast: true)
        #expect(faults(at: 1).map { $0.message.prefix(11) } == ["worker gone"])
    }

    @Test mutating func `a list of many partitions names ten`() throws {
        try add(coordinator("c", []))
        try add(worker("w"))
        #expect(faults(partitions: 12).first?.message.hasPrefix("all 12 partitions have") == true)
        try add(coordinator("c", [0]))
        #expect(
            faults(partitions: 13).first?.message.hasPrefix("partitions 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more have")
                == true)
    }

    @Test(arguments: [
        #""partitions":7"#, #""partitions":[-1]"#, #""partitions":["a"]"#, #""partitions":[4294967296]"#,
        #""partitions":[0],"stalls":[{"partition":0}]"#,
        #""partitions":[0],"stalls":[{"partition":0,"since":"x","problem":"p"}]"#,
        #""partitions":[0],"stalls":[{"partition":0,"since":"2026-03-01T12:00:00Z","problem":""}]"#,
        #""partitions":[0],"stalls":7"#, #""renewal":0"#, #""renewal":86400001"#,
    ])
    func `a lease with an impossible member is refused by its name`(members: String) throws {
        var encoder = encoder
        var record = encoder.record(worker("w"), topics: topics, at: Examples.time).consumed()
        record.value = Array(#"{"instance":"w","intents":[],"phases":[],"validFor":1,\#(members)}"#.utf8)
        let error = try #require(throws: EventError.self) { try CatalogueRecord(record) }
        #expect(["partitions", "stalls", "renewal"].contains(error.rejection.field))
    }
}
