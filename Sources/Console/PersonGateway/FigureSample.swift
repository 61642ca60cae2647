import Conversation
import IntentModel

/// Events a second, by what they are.
struct Rates: Sendable, Hashable {
    var requests: Double
    var prompts: Double
    var completions: Double
    var results: Double

    var json: JSON {
        .object([
            "requests": .number(requests), "prompts": .number(prompts), "completions": .number(completions), "results": .number(results),
        ])
    }
}

/// How the pipeline was in one second: what charts are drawn of.
package struct FigureSample: Sendable {
    var time: Instant
    var rates: Rates
    /// How long the oldest open prompt has waited, in seconds; `nil` if none is open.
    var promptOldest: Double?
    /// The median time of the last requests without the person, in seconds; `nil` if none has ended.
    var runMedian: Double?
    var topics: [TopicFigures]

    /// The waits that are known.
    var waits: JSON {
        .make { writer in
            writer.beginObject()
            writer.member("promptOldest", ifPresent: promptOldest.map { JSON.number($0) })
            writer.member("runMedian", ifPresent: runMedian.map { JSON.number($0) })
            writer.endObject()
        }
    }
}
