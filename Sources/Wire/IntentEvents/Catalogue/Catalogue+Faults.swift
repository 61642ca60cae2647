public import Conversation
import IntentModel

// What the leases say about the progress of the pipeline.
extension Catalogue {
    /// How long a partition may make no progress, or have no owner, before that is a fault: about as long as a process has that misses two renewals.
    public static let patience: Duration = .seconds(10)

    /// Returns what keeps requests from making progress.
    ///
    /// - Parameters:
    ///   - partitions: how many each topic has.
    ///   - now: the reader's clock.
    public func faults(partitions: Int32, at now: Instant) -> [PipelineFault] {
        let processes = processes.sorted { $0.name < $1.name }
        let living = processes.filter { !$0.isLate(at: now) }
        return partitionsWithoutOwner(processes, living, partitions, now) + living.flatMap { $0.stalled(at: now) }
            + phasesWithoutWorker(processes, living, now) + late(processes, living, now)
            + living.compactMap(\.wrongClock)
    }

    /// Whether something was not named in a lease for ``patience``.
    private func isMissing(_ sighting: Sighting?, at now: Instant) -> Bool {
        (sighting.map { time(of: $0) } ?? began).duration(to: now) > Self.patience + .seconds(1)
    }

    private func partitionsWithoutOwner(
        _ processes: [Process], _ living: [Process], _ partitions: Int32, _ now: Instant
    ) -> [PipelineFault] {
        let coordinators = living.filter(\.lease.isOfCoordinator)
        // A coordinator that does not say what it owns may own any of them.
        if coordinators.contains(where: { $0.lease.ownership == nil }) { return [] }
        let present = Set(coordinators.flatMap { $0.lease.ownership?.partitions ?? [] })
        let missing = (0..<max(0, partitions)).filter { !present.contains($0) && isMissing(owned[$0], at: now) }
        guard let first = missing.first else { return [] }
        let lacking = Set(missing)
        let before = processes.filter {
            $0.isLate(at: now) && !lacking.isDisjoint(with: $0.lease.ownership?.partitions ?? [])
        }
        let owners = before.map {
            "; \($0.name), which owned some of them, was last seen \($0.age(at: now) / 1_000) s ago"
        }
        let message =
            missing.count == Int(partitions)
            ? "all \(partitions) partitions have no coordinator, and their sessions wait"
            : missing.count == 1
                ? "partition \(first) has no coordinator, and its sessions wait"
                : "partitions \(missing.listed) have no coordinator, and their sessions wait"
        return [
            PipelineFault(
                .partitionsWithoutOwner, message + owners.joined(),
                advice: coordinators.isEmpty
                    ? "start intent-coordinator"
                    : "a live coordinator takes them over within seconds; if it does not, look at the coordinators' logs"
            )
        ]
    }

    private func phasesWithoutWorker(_ processes: [Process], _ living: [Process], _ now: Instant) -> [PipelineFault] {
        let workers = Dictionary(grouping: processes.filter { !$0.lease.isOfCoordinator }, by: \.lease.service)
        // A worker that does not say which phases it takes may take any of them.
        let unclear = Set(living.filter(\.lease.phases.isEmpty).map(\.lease.service))
        let present = Set(
            living.flatMap { process in
                process.lease.phases.map { ServicePhase(service: process.lease.service, phase: $0) }
            })
        return workers.sorted { $0.key ?? "" < $1.key ?? "" }.filter { !unclear.contains($0.key) }.flatMap {
            service, workers in
            let missing = ServicePhase.names.filter { name in
                let phase = ServicePhase(service: service, phase: name)
                return !present.contains(phase) && isMissing(taken[phase], at: now)
            }
            if missing.isEmpty { return [PipelineFault]() }
            let intents = Set(workers.flatMap(\.lease.intents))
            let everywhere = Set(processes.flatMap(\.lease.intents))
            let ofTheApp = Set(workers.flatMap(\.lease.inApp)).subtracting(everywhere)
            return missing.compactMap { phase in
                let count = phase.hasSuffix("-in-app") ? ofTheApp.count : intents.count
                return count == 0 ? nil : PipelineFault.withoutWorker(phase, count, service)
            }
        }
    }

    /// Returns the processes that do not renew their leases and that no other has replaced.
    ///
    /// A process that was started since then, and does at least the same, replaces one of them.
    private func late(_ processes: [Process], _ living: [Process], _ now: Instant) -> [PipelineFault] {
        var replacements = living.compactMap { process in process.started.map { (process, started: $0, isFree: true) } }
        replacements.sort { $0.started < $1.started }
        let groups = Dictionary(grouping: processes.filter { $0.isLate(at: now) }) {
            [$0.lease.service ?? ""] + $0.lease.phases.sorted()
        }
        // Those that do more find fewer replacements.
        let order = groups.sorted {
            $0.key.count == $1.key.count ? $0.key.lexicographicallyPrecedes($1.key) : $0.key.count > $1.key.count
        }
        return order.flatMap { key, late in
            let phases = Set(key.dropFirst())
            var able = replacements.indices.filter {
                replacements[$0].isFree && (replacements[$0].0.lease.service ?? "") == key[0]
                    && phases.isSubset(of: replacements[$0].0.lease.phases)
            }[...]
            // Each is replaced by the first one that was started after it.
            return late.sorted { $0.renewed < $1.renewed }.filter { late in
                let earliest = late.renewed.advanced(byMilliseconds: -Int64(late.lease.renewal))
                able = able.drop {
                    replacements[$0].started < earliest || replacements[$0].started <= late.started ?? .earliest
                }
                guard late.started != nil, let index = able.popFirst() else { return true }
                replacements[index].isFree = false
                return false
            }.map { PipelineFault.late($0, at: now) }
        }
    }
}

extension Catalogue.Process {
    fileprivate func stalled(at now: Instant) -> [PipelineFault] {
        let stalls = (lease.ownership?.stalls ?? []).map { stall in
            (stall, seconds: (stall.since.duration(to: written) + seen.duration(to: now)).components.seconds)
        }
        let long = stalls.filter { $0.seconds >= Catalogue.patience.components.seconds }
        return Dictionary(grouping: long, by: \.0.problem).sorted { $0.key < $1.key }.map { problem, stalls in
            let numbers = stalls.map(\.0.partition).sorted()
            return PipelineFault(
                .partitionStalled,
                "\(numbers.count == 1 ? "partition" : "partitions") \(numbers.listed) of \(name) \(numbers.count == 1 ? "has" : "have") made no progress for \(stalls.map(\.seconds).max() ?? 0) s: \(problem)",
                advice: "look at the log of \(name)")
        }
    }

    fileprivate var wrongClock: PipelineFault? {
        guard Self.isApart(clockLead) else { return nil }
        let seconds = abs(clockLead.components.seconds)
        return PipelineFault(
            .clockApart,
            "the clock of \(name) is \(seconds) s \(clockLead < .zero ? "behind" : "ahead of") the broker's",
            advice: "let NTP set the clock of its machine, or the broker's if all differ alike")
    }
}

extension PipelineFault {
    fileprivate static func late(_ process: Catalogue.Process, at now: Instant) -> PipelineFault {
        PipelineFault(
            .processLate,
            "\(process.name) has not renewed its lease for \(process.age(at: now) / 1_000) s: it was killed, hangs, or can't reach Kafka",
            advice: "look at its log and its machine, and start it again")
    }

    fileprivate static func withoutWorker(_ phase: String, _ intents: Int, _ service: String?) -> PipelineFault {
        let (service, waiting) = (
            service.map { "the service \($0)" } ?? "the default service",
            intents == 1 ? "1 intent waits" : "\(intents) intents wait"
        )
        return PipelineFault(
            .phaseWithoutWorker, "no live worker of \(service) takes the phase \(phase), and \(waiting) for one",
            advice: "start a worker of this service with the phase \(phase)")
    }
}

extension [Int32] {
    /// The first of them in words.
    fileprivate var listed: String {
        let names = prefix(10).map { "\($0)" }.joined(separator: ", ")
        return count > 10 ? "\(names) and \(count - 10) more" : names
    }
}
