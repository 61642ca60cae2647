/// A metric of the pipeline: what it is called, and what it says.
///
/// Names and labels follow the rules of Prometheus. No label has a value that names a session, a request or a person, and each metric has at most
/// ``maximumSeries`` series in a process. An intent that the catalogue does not have, and a code beyond the limit, count as `other`: nobody can fill the
/// memory of a process with labels by sending names.
public struct PipelineMetric: Sendable {
    public enum Kind: String, Sendable {
        case counter
        case gauge
        /// A histogram of seconds.
        case duration
        /// A histogram of whole numbers.
        case amount
    }

    public let name: String
    public let kind: Kind
    public let labels: [String]
    /// One sentence.
    public let help: String

    init(_ name: String, _ kind: Kind, _ labels: [String] = [], help: String) {
        (self.name, self.kind, self.labels, self.help) = (name, kind, labels, help)
    }

    /// The upper bounds of a histogram's buckets; empty for other metrics. People take minutes where machines take milliseconds.
    public var buckets: [Double] {
        switch kind {
        case .counter, .gauge: []
        case .duration where name == Self.promptWait.name: [0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800]
        case .duration: Self.durationBuckets
        case .amount: [0, 1, 2, 3, 5, 8, 13, 21]
        }
    }

    /// Prometheus' own default, in seconds.
    public static let durationBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    /// How many combinations of labels a metric has at most. What comes later is counted with the label `other`.
    public static let maximumSeries = 1_000
    /// The label of what has no series of its own, and of intents that no worker serves.
    public static let other = "other"
}

// Coordinators.
extension PipelineMetric {
    static let stageDuration = PipelineMetric(
        "intents_stage_duration_seconds", .duration, ["stage", "intent", "outcome"],
        help:
            "How long a phase took, from the dispatch of its work to the decision on its outcome, with the wait before a retry."
    )
    static let runDuration = PipelineMetric(
        "intents_run_duration_seconds", .duration, ["intent", "code"],
        help:
            "How long a request took from when the session began to work on it to its completion, without the time of the person and of apps."
    )
    static let runTurns = PipelineMetric(
        "intents_run_turns", .amount, ["intent"], help: "How many prompts a request took to its completion.")
    static let promptWait = PipelineMetric(
        "intents_prompt_wait_seconds", .duration, ["kind"], help: "How long people took to answer a prompt.")
    static let results = PipelineMetric(
        "intents_results_total", .counter, ["intent", "status", "code"], help: "Completions, by how the request ended.")
    static let prompts = PipelineMetric(
        "intents_prompts_total", .counter, ["kind"], help: "Prompts that people were given.")
    static let retries = PipelineMetric(
        "intents_retries_total", .counter, ["stage", "reason"],
        help: "Phases that are tried again because their worker could not do them.")
    static let decisions = PipelineMetric("intents_decisions_total", .counter, help: "Inputs that led to a decision.")
    static let ignored = PipelineMetric(
        "intents_events_ignored_total", .counter, ["reason"],
        help: "Inputs that changed nothing, such as repeats and late outcomes.")
    static let refused = PipelineMetric(
        "intents_events_refused_total", .counter, ["reason"], help: "Events that were rejected.")
    static let openSessions = PipelineMetric(
        "intents_sessions_open", .gauge, help: "Open sessions of the partitions that this process owns.")
    static let forgottenSessions = PipelineMetric(
        "intents_sessions_forgotten", .gauge,
        help: "Forgotten sessions whose requests are still known, so that repeats are recognised.")
    static let takeovers = PipelineMetric(
        "intents_partition_takeovers_total", .counter, help: "Partitions that were taken over.")
    static let restore = PipelineMetric(
        "intents_partition_restore_seconds", .duration,
        help: "How long it took from the assignment of a partition until its input was read.")
    static let stopped = PipelineMetric(
        "intents_partitions_stopped", .gauge,
        help: "Owned partitions that are not served until an operator has repaired their journal.")
    static let journalGaps = PipelineMetric(
        "intents_journal_gaps_total", .counter, help: "Times that another writer was found in the journal.")
    static let inputLost = PipelineMetric(
        "intents_input_lost_total", .counter, help: "Times that input was gone from the log before it was read.")
    static let inputWithheld = PipelineMetric(
        "intents_input_withheld_seconds", .gauge, ["topic", "partition"],
        help:
            "For how long an open transaction of another producer has withheld records of an owned partition; 0 if none does."
    )
    static let journalInFlight = PipelineMetric(
        "intents_journal_in_flight", .gauge, help: "Decisions whose journal record or effects are not acknowledged.")
    static let journalInFlightBytes = PipelineMetric(
        "intents_journal_in_flight_bytes", .gauge, help: "Bytes of the journal records of these decisions.")
}

// Workers.
extension PipelineMetric {
    static let handlerDuration = PipelineMetric(
        "intents_handler_duration_seconds", .duration, ["stage", "intent", "outcome"], help: "How long a handler ran.")
    static let handlersRunning = PipelineMetric(
        "intents_handlers_running", .gauge, ["stage"], help: "Handlers that have not returned.")
    static let workWaiting = PipelineMetric(
        "intents_work_waiting", .gauge, ["stage"], help: "Work that was read and is not begun.")
    static let workExpired = PipelineMetric(
        "intents_work_expired_total", .counter, ["stage"],
        help: "Work that came after its time limit and was given back.")
    static let handlersOverdue = PipelineMetric(
        "intents_handlers_overdue_total", .counter, ["stage"],
        help: "Handlers that the worker has cancelled because the coordinator no longer waited for them.")
    static let handlersAbandoned = PipelineMetric(
        "intents_handlers_abandoned_total", .counter, ["stage"],
        help: "Handlers that did not return in time after a cancel.")
}

// Consoles.
extension PipelineMetric {
    public static let httpDuration = PipelineMetric(
        "intents_console_request_duration_seconds", .duration, ["method", "route", "status"],
        help: "How long the console took until it began its answer.")
    public static let readers = PipelineMetric(
        "intents_console_readers", .gauge, help: "Readers of server-sent events.")
    public static let readersCut = PipelineMetric(
        "intents_console_readers_cut_total", .counter, help: "Readers that were cut off because they did not read.")
    public static let sessionsKept = PipelineMetric(
        "intents_console_sessions", .gauge, help: "Sessions that the console has in memory.")
    public static let resultGaps = PipelineMetric(
        "intents_console_result_gaps_total", .counter, help: "Times that results of a session were missing.")
    public static let descriptionsLeftOut = PipelineMetric(
        "intents_console_descriptions_left_out_total", .counter,
        help:
            "Descriptions of intents that the console does not keep, because the catalogue has too many or too large ones."
    )
}

// Every process that reads and writes.
extension PipelineMetric {
    static let consumed = PipelineMetric(
        "intents_events_consumed_total", .counter, ["topic", "type"], help: "Events that were read.")
    static let produced = PipelineMetric(
        "intents_events_produced_total", .counter, ["topic", "type"],
        help: "Events that were written, including repeats after a takeover.")
    static let deadLetters = PipelineMetric(
        "intents_dead_letters_total", .counter, ["stage", "reason"],
        help: "Records that could not be read and were written to the dead letters.")
    static let deadLettersLost = PipelineMetric(
        "intents_dead_letters_lost_total", .counter, ["stage"], help: "Dead letters that the log has refused for good.")
    static let deadLettersSpared = PipelineMetric(
        "intents_dead_letters_spared_total", .counter, ["stage"],
        help:
            "Unreadable records without a dead letter of their own, because too many came: a dead letter names a range of them."
    )
    static let unreadableBatches = PipelineMetric(
        "intents_unreadable_batches_total", .counter, ["topic"],
        help: "Batches of records that could not be read, because they can't be decompressed or are damaged.")
    static let recordsRefused = PipelineMetric(
        "intents_records_refused_total", .counter, ["topic", "reason"],
        help: "Records of coordinators that the log has refused for good and that were given up, without dead letters.")
    static let rebalances = PipelineMetric(
        "intents_rebalances_total", .counter, ["role", "event"],
        help: "Rebalances of the consumer group: assigned, revoked or lost.")
    static let partitionsOwned = PipelineMetric(
        "intents_partitions_owned", .gauge, ["role"], help: "Partitions that this process has.")
    static let partitions = PipelineMetric(
        "intents_partitions", .gauge, help: "Partitions of each topic, whether a process has them or not.")
    static let consumerLag = PipelineMetric(
        "intents_consumer_lag", .gauge, ["topic", "partition"],
        help: "Records of a partition of this process that are not read yet, as of the newest fetch.")
    public static let faults = PipelineMetric(
        "intents_faults", .gauge, ["kind"],
        help: "What keeps requests from making progress, as coordinators and consoles see it.")
    public static let queued = PipelineMetric(
        "intents_send_queue_records", .gauge, ["role"],
        help: "Records that were sent and that the broker has not acknowledged.")

    /// All of them, in the order in which the documentation lists them.
    public static let all: [PipelineMetric] = [
        runDuration, stageDuration, runTurns, promptWait, results, prompts, retries, handlerDuration, decisions,
        ignored, refused,
        deadLetters,
        deadLettersLost, deadLettersSpared, unreadableBatches, recordsRefused, consumed, produced, consumerLag,
        openSessions,
        forgottenSessions, handlersRunning, workWaiting,
        workExpired,
        handlersOverdue, handlersAbandoned, rebalances, partitions, partitionsOwned, faults, stopped, takeovers,
        restore,
        journalGaps, inputLost,
        inputWithheld, journalInFlight,
        journalInFlightBytes, queued, httpDuration, readers, readersCut, sessionsKept, resultGaps,
        descriptionsLeftOut,
    ]
}
