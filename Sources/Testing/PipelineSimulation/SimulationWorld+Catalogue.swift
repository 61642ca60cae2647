import Conversation
import IntentEvents
import IntentModel
import Pipeline
import PipelineTestKit
import RecordLog

// The catalogue: workers publish the intents that they serve, and coordinators follow.
extension SimulationWorld {
    /// The time that a worker has to run before coordinators must know its intents.
    private static let patience: Duration = .seconds(20)

    func startCatalogue(of process: SimulatedProcess) {
        guard script.hasCatalogue else { return }
        let clock = process.clock
        if SimulationScript.coordinators.contains(process.name) {
            let client = SimulatedClient(
                log.client(CatalogueFollower.client(process.name)), watching: false, exposing: nil)
            process.catalogue.client = client
            process.catalogue.follower = CatalogueFollower(
                client: client, topics: topics, partitions: Self.partitions, clock: { clock.now }, logger: logger)
            for _ in 0..<process.sideRandom.pick([0, 2, 200]) { followCatalogue(process) }
        } else if process.name != "app" {
            // The app only handles work that other workers have resolved and confirmed.
            let client = SimulatedClient(
                log.client(ClientConfiguration(clientID: "\(process.name)-catalog")), watching: false, exposing: nil)
            process.catalogue.client = client
            process.catalogue.publisher = CataloguePublisher(
                Self.content(of: process), client: client, topics: topics, clock: { clock.now }, logger: logger)
        }
    }

    private static func content(
        of process: SimulatedProcess, _ names: [String] = Set(SimulatedHandlers.intents).sorted()
    ) -> CataloguePublisher.Content {
        let party = JSON.object([
            "name": .string("party"), "memory": .object(["key": .string("party"), "scope": .string("person")]),
        ])
        let all = names.map { Identifier($0) }
        return .init(
            lease: WorkerLease(instance: process.runName, intents: all),
            intents: names.map {
                PublishedIntent(intent: Identifier($0), title: $0, details: ["parameters": .array([party])])
            })
    }

    /// Steps the follower or the publisher of a process once.
    @discardableResult
    func followCatalogue(_ process: SimulatedProcess) -> Bool {
        guard process.catalogue.client != nil else { return false }
        process.catalogue.client?.limit(process.sideRandom.pick([1, 3, 500, 500]))
        do throws(LogError) {
            if let catalogue = process.catalogue.follower { return try catalogue.step(timeout: .zero) }
            // A worker that was paused for longer than the time between two renewals may have lost its lease.
            if process.catalogue.publishedAt.map({ $0.duration(to: clock.now) > .milliseconds(WorkerLease.renewal) })
                ?? true
            {
                process.catalogue.servesSince = clock.now
            }
            process.catalogue.publishedAt = clock.now
            return try process.catalogue.publisher?.step(timeout: .zero) ?? false
        } catch {
            recordDeath(error, of: process)
            return true
        }
    }

    /// Checks that no request was refused as unserved although a worker has served its intent for long.
    ///
    /// - Parameter before: The number of requests that the coordinator had refused as unserved before.
    func checkServed(by process: SimulatedProcess, before: Int) {
        guard let coordinator = process.coordinator, coordinator.counters.unserved > before, !cluster.catalogueIsAway
        else { return }
        let since = clock.now.advanced(by: .zero - Self.patience)
        guard cluster.catalogueRestored <= since else { return }
        let serving = processes.first { $0.isRunning && ($0.catalogue.servesSince.map { $0 <= since } ?? false) }
        if let serving {
            books.withLedger {
                $0.violated(.servedRefused, "\(process.runName) does not know what \(serving.runName) serves")
            }
        }
    }

    /// Upgrades all workers to a version that serves another intent only. Requests for the earlier intents must be
    /// refused.
    func replaceIntents() {
        for process in processes {
            process.catalogue.publisher?.publish(Self.content(of: process, ["Other"]))
            process.catalogue.servesSince = nil
        }
        settle()
        // The leases of crashed processes expire.
        for _ in 0..<70 {
            clock.advance(by: .seconds(6))
            settle()
        }
        var random = SimulationRandom(seed: script.seed, "withdrawn")
        let before = log.records(in: topics.resolve).count
        for session in script.sessions.prefix(3) { act(session, .request, 9_000_000, &random) }
        settle()
        let work = log.records(in: topics.resolve).count - before
        if work > 0 {
            books.withLedger {
                $0.violated(.unservedAccepted, "\(work) requests were accepted, and no worker serves their intents")
            }
        }
        countFault("an intent that no worker serves any more")
    }
}
