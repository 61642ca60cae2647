import Conversation
import IntentEvents
import IntentModel
import RecordLog

// Checks of the processes, by their leases.
extension Doctor {
    /// Reports whether the partitions have leaders.
    func examineLeaders(_ existing: [TopicDescription], _ report: (Diagnosis) -> Void) {
        let faults = PipelineFault.leaderless(existing, topics).sorted { $0.key < $1.key }.map(\.value)
        if faults.isEmpty { report(Diagnosis("leaders", .ok, "each partition has one")) }
        for fault in faults { report(Diagnosis(fault)) }
    }

    /// Reports whether the processes run and make progress.
    func examineProcesses(_ report: (Diagnosis) -> Void) async {
        if let refusal = refusal("processes", of: topics.catalog) {
            for check in Self.checksOfProcesses {
                report(Diagnosis(check, refusal.status, refusal.message, advice: refusal.advice))
            }
            return
        }
        do {
            let (catalogue, faults) = try await CatalogueReader(log, topics: topics, now: now).faults(
                timeout: patience, watching: watching)
            for diagnosis in Self.processes(catalogue, faults, at: now()) { report(diagnosis) }
        } catch {
            for check in Self.checksOfProcesses {
                report((error as? LogError).map { problem(check, $0) } ?? Diagnosis(check, .failed, "\(error)"))
            }
        }
    }

    static let checksOfProcesses = ["coordinators", "workers", "processes", "clocks"]

    /// Evaluates the leases. Each check reports its faults, or that there are none.
    static func processes(_ catalogue: Catalogue, _ faults: [PipelineFault], at now: Instant) -> [Diagnosis] {
        let living = catalogue.processes.filter { !$0.isLate(at: now) }
        let tolerance = Catalogue.Process.clockTolerance.components.seconds
        let fine = [
            Diagnosis("coordinators", .ok, owners(living.filter(\.lease.isOfCoordinator))), workers(catalogue),
            living.isEmpty
                ? Diagnosis("processes", .skipped, "there is none")
                : Diagnosis("processes", .ok, "\(living.count) renew their leases"),
            living.isEmpty
                ? Diagnosis("clocks", .skipped, "there is no process")
                : Diagnosis("clocks", .ok, "no process is more than \(tolerance) s off"),
        ]
        return fine.flatMap { diagnosis in
            let found = faults.map { Diagnosis($0) }.filter { $0.check == diagnosis.check }
            return found.isEmpty ? [diagnosis] : found
        }
    }

    private static func owners(_ coordinators: [Catalogue.Process]) -> String {
        let texts = coordinators.sorted { $0.name < $1.name }.map { process in
            guard let ownership = process.lease.ownership else {
                return "\(process.name), of an earlier version, does not say what it owns"
            }
            let count = ownership.partitions.count
            return "\(process.name) owns \(count == 1 ? "1 partition" : "\(count) partitions")"
        }
        return texts.joined(separator: ", ")
    }

    private static func workers(_ catalogue: Catalogue) -> Diagnosis {
        let entries = catalogue.entries
        if entries.isEmpty {
            return Diagnosis(
                "workers", .failed, "no worker has a lease: requests wait until one comes",
                advice:
                    "start a worker of each phase, such as \(PipelineProgram.sampleWorker); '\(PipelineProgram.tool) catalog list' lists what they serve"
            )
        }
        let contested = entries.filter(\.isContested).map(\.intent.text)
        let text = "\(entries.count) intents are served"
        if contested.isEmpty { return Diagnosis("workers", .ok, text) }
        return Diagnosis(
            "workers", .warning,
            "\(text); \(contested.joined(separator: ", ")) by more than one service, of which only the first gets work",
            advice: "let one service serve each intent: '\(PipelineProgram.tool) catalog list' says which do")
    }
}

extension Diagnosis {
    fileprivate init(_ fault: PipelineFault) {
        let check =
            switch fault.kind {
            case .partitionsWithoutOwner, .partitionStalled: "coordinators"
            case .phaseWithoutWorker: "workers"
            case .processLate: "processes"
            case .clockApart: "clocks"
            case .partitionWithoutLeader: "leaders"
            case .brokerUnreachable: "brokers"
            }
        self.init(check, .failed, fault.message, advice: fault.advice)
    }
}
