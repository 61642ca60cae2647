import IntentEvents
package import IntentModel

/// How a parameter of a request came to its value, from the person's words on, as far as results tell it.
package struct ParameterPath: Sendable, Hashable {
    package var name: String
    package var title: String?
    /// The words as they were said, where the value is another one.
    package var words: JSON?
    /// What the words were read as, before a resolver replaced that.
    package var interpreted: JSON?
    package var confidence: Double?
    /// The value in words.
    package var text: String?
    package var value: JSON?
    /// Where a value comes from that the person did not say.
    package var source: String?
    package var reason: String?
    package var isMissing = false
    /// The prompts that have asked for it, oldest first.
    package var prompts: [Identifier] = []

    init(_ name: String) { self.name = name }

    /// What it takes in memory, about.
    var bytes: Int {
        let texts = [name, title, text, source, reason] + prompts.map(\.text)
        let values = [words, interpreted, value]
        return texts.reduce(256) { $0 + ($1?.utf8.count ?? 0) } + values.reduce(0) { $0 + ($1?.bytes.count ?? 0) }
    }

    /// A row of a prompt's `parameters`.
    mutating func take(row: JSONView) {
        title = row["title"]?.string ?? title
        text = row["text"]?.string
        value = row["value"]?.json
        source = row["source"]?.string
        reason = row["reason"]?.string
        isMissing = row["missing"]?.bool == true
    }

    /// A `provenance`, of a prompt or of a completion.
    mutating func take(provenance: JSONView) {
        words = provenance["original"]?.json ?? words
        interpreted = provenance["interpreted"]?.json ?? interpreted
        confidence = provenance["confidence"]?.double ?? confidence
        source = provenance["source"]?.string ?? source
    }

    /// Members that say what the value is; masked, only that there is one.
    func write(to writer: inout JSONWriter, masked: Bool) {
        writer.beginObject()
        writer.member("parameter", name)
        writer.member("title", ifPresent: title)
        if !masked {
            writer.member("words", ifPresent: words)
            writer.member("interpreted", ifPresent: interpreted)
            writer.member("text", ifPresent: text)
            writer.member("value", ifPresent: value)
            writer.member("reason", ifPresent: reason)
        } else if words != nil || text != nil || value != nil {
            writer.member("masked", true)
        }
        if let confidence { writer.member("confidence", JSON.number(confidence)) }
        writer.member("source", ifPresent: source)
        if isMissing { writer.member("missing", true) }
        if !prompts.isEmpty { writer.member("prompts", .array(prompts.map { .string($0) })) }
        writer.endObject()
    }
}
