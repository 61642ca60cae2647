import Conversation
package import IntentEvents
package import IntentModel
import Synchronization

// The figures of the pipeline.
extension Gateway {
    /// Returns the figures of the pipeline for several viewers; only the figures of their sessions for viewers that see
    /// only their own. Data that several viewers share is computed once.
    ///
    /// - Parameters:
    ///   - topics: For each topic, the number of written records and the lag.
    ///   - changed: The sessions whose summaries are included, at most the last ``maximumChanges`` that a viewer sees.
    ///   - inAnyCase: The viewers of their own sessions that get figures even if none of their sessions has changed.
    func overviews(
        topics: [TopicFigures], changed: Set<Identifier> = [], for viewers: Set<Viewer>, inAnyCase: Set<Viewer> = []
    ) -> [Viewer: JSON] {
        let now = clock()
        let isForPersons = viewers.contains { $0.scope != .all }
        return state.withLock { state in
            state.catalogue.refreshProcesses(at: now)
            let (board, titles) = (state.timeline.board, state.catalogue.titles)
            let sessions = changed.compactMap { board[$0] }.sorted { $0.change > $1.change }
            let changedOf = isForPersons ? Dictionary(grouping: sessions, by: \.person) : [:]
            let waitingOf = isForPersons ? board.waitingOfPersons : [:]
            var overviews: [Viewer: JSON] = [:]
            for viewer in viewers {
                switch viewer.scope {
                case .all:
                    overviews[viewer] = state.overview(topics: topics, at: now, sessions.summaries(for: viewer, titles))
                case .own(let principal):
                    let changed = changedOf[principal] ?? []
                    guard !changed.isEmpty || inAnyCase.contains(viewer) else { continue }
                    let waiting = waitingOf[principal]
                    overviews[viewer] = .make { writer in
                        writer.beginObject()
                        state.writeBeginning(at: now, changed.summaries(for: viewer, titles), to: &writer)
                        writer.member(
                            "open",
                            .object([
                                "prompts": .number(waiting?.prompts ?? 0), "handoffs": .number(waiting?.handoffs ?? 0),
                            ]))
                        writer.endObject()
                    }
                }
            }
            return overviews
        }
    }

    /// Returns the figures for several viewers, with the sessions that have changed since the last call.
    package func overviewsOfChanges(topics: [TopicFigures], for viewers: Set<Viewer>, inAnyCase: Set<Viewer>)
        -> [Viewer: JSON]
    {
        overviews(
            topics: topics, changed: state.withLock { $0.timeline.drainChanged() }, for: viewers, inAnyCase: inAnyCase)
    }

    /// Returns the present figures of the pipeline for ``FigureHistory``.
    package func sample(topics: [TopicFigures]) -> FigureSample {
        let now = clock()
        return state.withLock { $0.sample(topics: topics, at: now) }
    }

    /// The faults that the leases show; empty until the log is read to its end.
    package var faultsOfLeases: [PipelineFault] {
        let now = clock()
        let catalogue = state.withLock { $0.followed.isReady ? $0.catalogue : nil }
        return catalogue?.faults(partitions: partitions, at: now) ?? []
    }

    /// Sets what overviews tell of the faults that keep requests from making progress.
    package func show(_ faults: [PipelineFault]) { state.withLock { $0.faults = faults } }

    /// The maximum number of changed sessions in an overview.
    static let maximumChanges = 50
}

extension Gateway.State {
    fileprivate func sample(topics: [TopicFigures], at now: Instant) -> FigureSample {
        FigureSample(
            time: now, rates: timeline.figures.rates(at: now),
            promptOldest: timeline.board.oldestPrompt.map {
                Double(max(0, $0.milliseconds.distance(to: now.milliseconds))) / 1_000
            },
            runMedian: timeline.figures.medianDuration, topics: topics)
    }

    fileprivate func overview(topics: [TopicFigures], at now: Instant, _ changed: [JSON]) -> JSON {
        let (states, figures) = (timeline.board.states, timeline.figures)
        let sample = sample(topics: topics, at: now)
        return .make { writer in
            writer.beginObject()
            writeBeginning(at: now, changed, to: &writer)
            writer.member("rates", sample.rates.json)
            writer.name("completions")
            writer.beginObject()
            for status in Completion.Status.allCases {
                writer.member(named: status.rawValue, .number(figures.completions[status.rawValue] ?? 0))
            }
            writer.endObject()
            writer.member(
                "open",
                .object([
                    "working": .number(states[.working] ?? 0), "prompts": .number(states[.prompt] ?? 0),
                    "handoffs": .number(states[.handoff] ?? 0), "queued": .number(states[.queued] ?? 0),
                ]))
            writer.member("sessions", timeline.board.count)
            writer.member("waits", sample.waits)
            writer.member("topics", .array(topics.map(\.json)))
            let processes = catalogue.processes.sorted { $0.key < $1.key }.map(\.value)
            writer.member("coordinators", .array(processes.filter(\.lease.isOfCoordinator).map(\.json)))
            writer.member("workers", .array(processes.filter { !$0.lease.isOfCoordinator }.map(\.json)))
            writer.member("faults", .array(faults.map(\.json)))
            writer.member("journal", .object(["gaps": .number(figures.gaps), "copies": .number(figures.copies)]))
            writer.member("deadLetters", letters.open)
            writer.endObject()
        }
    }

    fileprivate func writeBeginning(at now: Instant, _ changed: [JSON], to writer: inout JSONWriter) {
        writer.member("time", now.description)
        writer.member("caughtUp", followed.isReady)
        if !changed.isEmpty { writer.member("changed", .array(changed)) }
    }
}

extension [FollowedSession] {
    fileprivate func summaries(for viewer: Viewer, _ titles: [Identifier: String]) -> [JSON] {
        prefix(Gateway.maximumChanges).map { session in session.summary(for: viewer) { titles[$0] } }
    }
}

extension PipelineFault {
    fileprivate var json: JSON {
        .object(["kind": .string(kind.rawValue), "message": .string(message), "advice": .string(advice)])
    }
}
