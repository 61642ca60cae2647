import Conversation
import DequeModule
package import IntentModel

/// The figures of the last two minutes, so that a new reader sees what led to the present.
package struct FigureHistory: Sendable {
    /// The maximum number of samples. One is added each second.
    package static let length = 120

    private var samples: Deque<FigureSample> = []

    package init() {}

    package mutating func add(_ sample: FigureSample) {
        samples.append(sample)
        if samples.count > Self.length { samples.removeFirst() }
    }

    /// Each figure as an array with a value for each time, oldest first; `null` for an unknown value.
    package var json: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("times", .array(samples.map { .string($0.time.description) }))
            writer.member(
                "rates",
                .object([
                    "requests": column { $0.rates.requests }, "prompts": column { $0.rates.prompts },
                    "completions": column { $0.rates.completions }, "results": column { $0.rates.results },
                ]))
            writer.member("waits", .object(["promptOldest": column(\.promptOldest), "runMedian": column(\.runMedian)]))
            writer.name("topics")
            writer.beginArray()
            // The last sample has all topics, because a topic is added when it can be read for the first time.
            for topic in samples.last?.topics.map(\.topic) ?? [] {
                func column(_ value: (TopicFigures) -> Double?) -> JSON {
                    self.column { sample in sample.topics.first { $0.topic == topic }.flatMap(value) }
                }
                writer.beginObject()
                writer.member("topic", topic)
                writer.member("rate", column(\.rate))
                writer.member("lag", column { $0.lag.map(Double.init) })
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
        }
    }

    private func column(_ value: (FigureSample) -> Double?) -> JSON {
        .array(samples.map { sample in value(sample).map { JSON.number(($0 * 1_000).rounded() / 1_000) } ?? .null })
    }
}
