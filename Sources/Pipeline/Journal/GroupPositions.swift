package import IntentEvents
package import RecordLog

/// The positions that the group of coordinators has committed of a partition's inputs. A position is committed after its journal record is acknowledged, so a
/// journal that knows less has lost records.
package struct GroupPositions: Sendable, Hashable {
    /// The next record of each input that has a commit.
    package private(set) var next: [JournalInput: Int64] = [:]
    /// How often an operator had set the positions.
    package private(set) var inputs = 0

    package init() {}

    /// - Parameter committed: the group's commits, of any partitions. A commit without a note says nothing: versions that write none (0.1.0) commit before the
    ///   journal's acknowledgement, and some brokers drop notes.
    package init(_ committed: [TopicPartition: CommittedOffset], partition: Int32, topics: Topics) {
        var found: [(input: JournalInput, next: Int64, inputs: Int)] = []
        for input in JournalInput.allCases {
            guard let commit = committed[TopicPartition(input.topic(topics), partition)],
                commit.metadata.hasPrefix(Self.note),
                let inputs = Int(commit.metadata.dropFirst(Self.note.count))
            else { continue }
            found.append((input, commit.offset, inputs))
        }
        inputs = found.map(\.inputs).max() ?? 0
        for commit in found where commit.inputs == inputs { next[commit.input] = commit.next }
    }

    private static let note = "journalled inputs="

    /// What to commit.
    static func commits(of journal: PartitionJournal) -> [TopicPartition: CommittedOffset] {
        let note = note + "\(journal.inputsSet)"
        return Dictionary(
            uniqueKeysWithValues: JournalInput.allCases.map { input in
                (
                    TopicPartition(input.topic(journal.settings.topics), journal.partition),
                    CommittedOffset(offset: journal.acknowledged[input], metadata: note)
                )
            })
    }

    /// The positions that are beyond the journal's. Positions of a lower count were replaced by an operator, and those of a higher count are newer.
    func beyond(_ known: [JournalInput: Int64], inputs: Int) -> [JournalInput: Int64] {
        if self.inputs < inputs { return [:] }
        return self.inputs > inputs ? next : next.filter { $0.value > known[$0.key] ?? 0 }
    }
}

/// The next record of each input.
package struct InputOffsets: Sendable, Hashable {
    package var requests: Int64 = 0
    package var answers: Int64 = 0
    package var outcomes: Int64 = 0

    package subscript(_ input: JournalInput) -> Int64 {
        switch input {
        case .requests: requests
        case .answers: answers
        case .outcomes: outcomes
        }
    }
}
