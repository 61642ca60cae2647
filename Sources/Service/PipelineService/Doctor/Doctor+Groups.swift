import IntentEvents
import Pipeline
package import RecordLog

// Consumer groups: their members and their lag.
extension Doctor {
    /// A group, and the topics that its members share.
    private struct Group {
        var id: String
        var topics: [String]
        /// The program that joins the group.
        var start: String
        /// `true` if a pipeline may run without members of the group.
        var isOptional: Bool
    }

    /// The number of waiting records from which a group counts as late.
    package static let muchLag: Int64 = 1_000

    private var groups: [Group] {
        let inputs = ContractTopic.allCases.filter { topics.inputs.contains($0.name(topics)) }
        let memory = Group(
            id: MemoryKeeper.group(topics).id, topics: [topics.memoryChanges], start: "\(PipelineProgram.coordinator)",
            isOptional: true)
        return [memory]
            + ContractParty.allCases.compactMap { party in
                let read = inputs.filter { $0.readers.contains(party) }.map { $0.name(topics) }
                guard let id = party.group(topics, service: party == .coordinator ? nil : service), !read.isEmpty else {
                    return nil
                }
                let isOptional = party.rawValue.hasPrefix("app-")
                return Group(
                    id: id, topics: read,
                    start: party == .coordinator
                        ? "\(PipelineProgram.coordinator)" : "a worker with the phase \(party.phase)",
                    isOptional: isOptional)
            }
    }

    func examineGroups(_ partitions: Int32, _ report: (Diagnosis) -> Void) async {
        for group in groups {
            do { if let diagnosis = try await examine(group, partitions) { report(diagnosis) } } catch {
                let own = (access.group.map { [$0] } ?? []) + access.otherGroups + access.describesGroups
                let isRefused = error.code == .unauthorized && !own.contains(group.id)
                report(
                    isRefused
                        ? Diagnosis(
                            "group \(group.id)", .skipped,
                            "the \(role.rawValue) may not describe it: ask as \(Self.able(topics, service))")
                        : problem("group \(group.id)", error))
            }
        }
    }

    /// Returns the roles that may describe all groups.
    private static func able(_ topics: Topics, _ service: String?) -> String {
        let roles = AccessRole.allCases.filter { !$0.access(topics, service: service).describesGroups.isEmpty }
        return roles.map(\.rawValue).joined(separator: " or ")
    }

    private func examine(_ group: Group, _ partitions: Int32) async throws(LogError) -> Diagnosis? {
        let places = group.topics.flatMap { topic in (0..<partitions).map { TopicPartition(topic, $0) } }
        let committed = try await log.committed(by: group.id, places)
        var members: [GroupMember]?
        do { members = try await log.members(of: group.id) } catch {
            guard error.code == .unsupported || error.code == .unauthorized else { throw error }
        }
        let reader = try PartitionReader(log, nil, patience: patience)
        defer { reader.close() }
        var lag: Int64 = 0
        var hasRecords = false
        for place in places {
            let range = try reader.range(of: place)
            if !range.isEmpty { hasRecords = true }
            lag += max(0, range.upperBound - max(range.lowerBound, committed[place]?.offset ?? range.lowerBound))
        }
        if group.isOptional, !hasRecords, committed.isEmpty, members?.isEmpty ?? true { return nil }
        return Self.diagnosis(
            of: group.id, lag: lag, members: members, places: places, start: group.start,
            isNeeded: group.id == ContractParty.coordinator.group(topics))
    }

    /// Evaluates the state of a group.
    ///
    /// - Parameters:
    ///   - members: The members; `nil` if the broker does not report them.
    ///   - places: The partitions that the members share.
    ///   - start: The program that joins the group.
    ///   - isNeeded: `true` if no pipeline works without the group. Another service may replace workers.
    package static func diagnosis(
        of group: String, lag: Int64, members: [GroupMember]?, places: [TopicPartition], start: String,
        isNeeded: Bool = false
    ) -> Diagnosis {
        let check = "group \(group)"
        let waiting = lag == 1 ? "1 record waits" : "\(lag) records wait"
        let behind = lag == 0 ? "nothing waits" : "\(waiting), by what it has committed"
        guard let members else {
            let summary = "\(behind); the broker does not tell its members"
            return lag < muchLag
                ? Diagnosis(check, .ok, summary)
                : Diagnosis(check, .warning, summary, advice: "look whether its processes run: start \(start)")
        }
        if members.isEmpty {
            return lag == 0 && !isNeeded
                ? Diagnosis(
                    check, .warning, "it has no member; \(behind)", advice: "start \(start), if this group is needed")
                : Diagnosis(check, .failed, "it has no member; \(behind)", advice: "start \(start)")
        }
        let summary = "\(members.count == 1 ? "1 member" : "\(members.count) members"); \(behind)"
        let open = Set(places).subtracting(members.flatMap(\.partitions))
        if !open.isEmpty {
            return Diagnosis(
                check, .warning, "\(summary); \(open.count) of \(places.count) partitions are assigned to no one",
                advice: "the group may be about to share them: ask again in a minute")
        }
        if lag < muchLag { return Diagnosis(check, .ok, summary) }
        return Diagnosis(check, .warning, summary, advice: "if it grows, start another one: \(start)")
    }
}

extension ContractParty {
    /// The value of a worker's `--phase`.
    fileprivate var phase: String {
        switch self {
        case .resolver: "resolve"
        case .confirmer: "confirm"
        case .handler: "handle"
        case .appResolver: "resolve-in-app"
        case .appConfirmer: "confirm-in-app"
        default: "handle-in-app"
        }
    }
}
