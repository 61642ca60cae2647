import Conversation
package import IntentModel
import Synchronization

// The figures of the pipeline.
extension Gateway {
    /// Returns the figures of the pipeline for one viewer.
    func overview(topics: [TopicFigures], for viewer: Viewer) -> JSON {
        overviews(topics: topics, for: [viewer], inAnyCase: [viewer])[viewer] ?? .object([:])
    }

    /// Returns the figures of the pipeline for several viewers at the same time. Data that several viewers share is
    /// computed once.
    ///
    /// Viewers that see only their own sessions get only the figures of their sessions.
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
            let titles = state.titles
            let sessions = changed.compactMap { state.board[$0] }.sorted { $0.change > $1.change }
            let changedOf = isForPersons ? Dictionary(grouping: sessions, by: \.person) : [:]
            let waitingOf = isForPersons ? state.board.waitingOfPersons : [:]
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

    /// Returns the figures of the pipeline, with the sessions that have changed since the last call.
    ///
    /// - Parameter inAnyCase: The viewers of their own sessions that get figures even if none of their sessions has
    ///   changed.
    package func overviewsOfChanges(topics: [TopicFigures], for viewers: Set<Viewer>, inAnyCase: Set<Viewer>)
        -> [Viewer: JSON]
    {
        overviews(topics: topics, changed: drainChangedSessions(), for: viewers, inAnyCase: inAnyCase)
    }

    /// Returns the present figures of the pipeline for ``FigureHistory``.
    package func sample(topics: [TopicFigures]) -> FigureSample {
        let now = clock()
        return state.withLock { $0.sample(topics: topics, at: now) }
    }

    /// Returns the sessions that have changed since the last call, and clears them.
    func drainChangedSessions() -> Set<Identifier> {
        state.withLock { state in
            defer { state.changed = [] }
            return state.changed
        }
    }

    /// The maximum number of changed sessions in an overview.
    static let maximumChanges = 50
}

extension Gateway.State {
    fileprivate func sample(topics: [TopicFigures], at now: Instant) -> FigureSample {
        FigureSample(
            time: now, rates: figures.rates(at: now),
            promptOldest: board.oldestPrompt.map {
                Double(max(0, $0.milliseconds.distance(to: now.milliseconds))) / 1_000
            },
            runMedian: figures.medianDuration, topics: topics)
    }

    fileprivate func overview(topics: [TopicFigures], at now: Instant, _ changed: [JSON]) -> JSON {
        let states = board.states
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
            writer.member("waits", sample.waits)
            writer.member("topics", .array(topics.map(\.json)))
            writer.member("workers", .array(workers.sorted { $0.key < $1.key }.map(\.value.json)))
            writer.member("journal", .object(["gaps": .number(figures.gaps), "copies": .number(figures.copies)]))
            writer.member("deadLetters", letters.open)
            writer.endObject()
        }
    }

    fileprivate func writeBeginning(at now: Instant, _ changed: [JSON], to writer: inout JSONWriter) {
        writer.member("time", now.description)
        writer.member("caughtUp", isOpen && behind.isEmpty)
        if !changed.isEmpty { writer.member("changed", .array(changed)) }
    }
}

extension [FollowedSession] {
    fileprivate func summaries(for viewer: Viewer, _ titles: [Identifier: String]) -> [JSON] {
        prefix(Gateway.maximumChanges).map { session in session.summary(for: viewer) { titles[$0] } }
    }
}
