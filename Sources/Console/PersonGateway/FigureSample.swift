import Conversation
import IntentModel

/// Events per second, by kind.
struct Rates: Sendable, Hashable {
    var requests: Double
    var prompts: Double
    var completions: Double
    var results: Double

    var json: JSON {
        .object([
            "requests": .number(requests), "prompts": .number(prompts), "completions": .number(completions),
            "results": .number(results),
        ])
    }
}

/// The figures of one second, from which charts are drawn.
package struct FigureSample: Sendable {
    var time: Instant
    var rates: Rates
    /// The time for which the oldest open prompt has waited, in seconds; `nil` if no prompt is open.
    var promptOldest: Double?
    /// The median duration of the last requests without the time of the person, in seconds; `nil` if no request has
    /// ended.
    var runMedian: Double?
    var topics: [TopicFigures]

    /// The waiting times that are known.
    var waits: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("promptOldest", ifPresent: promptOldest.map { JSON.number($0) })
            writer.member("runMedian", ifPresent: runMedian.map { JSON.number($0) })
            writer.endObject()
        }
    }
}
