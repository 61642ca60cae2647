import IntentEvents
package import IntentModel

/// The steps from the person's words to the value of a parameter, as results show them.
package struct ParameterPath: Sendable, Hashable {
    package var name: String
    package var title: String?
    /// The words of the person, if the value differs from them.
    package var words: JSON?
    /// The interpretation of the words, before a resolver replaced it.
    package var interpreted: JSON?
    package var confidence: Double?
    /// The value in words.
    package var text: String?
    package var value: JSON?
    /// The source of a value that the person did not say.
    package var source: String?
    package var reason: String?
    package var isMissing = false
    /// The prompts that have asked for the parameter, oldest first.
    package var prompts: [Identifier] = []

    init(_ name: String) { self.name = name }

    /// The approximate size in memory.
    var bytes: Int {
        let texts = [name, title, text, source, reason] + prompts.map(\.text)
        let values = [words, interpreted, value]
        return texts.reduce(256) { $0 + ($1?.utf8.count ?? 0) } + values.reduce(0) { $0 + ($1?.bytes.count ?? 0) }
    }

    /// Applies a row of a prompt's `parameters`.
    mutating func apply(row: JSONView) {
        title = row["title"]?.string ?? title
        text = row["text"]?.string
        value = row["value"]?.json
        source = row["source"]?.string
        reason = row["reason"]?.string
        isMissing = row["missing"]?.bool == true
    }

    /// Applies the `provenance` of a prompt or of a completion.
    mutating func apply(provenance: JSONView) {
        words = provenance["original"]?.json ?? words
        interpreted = provenance["interpreted"]?.json ?? interpreted
        confidence = provenance["confidence"]?.double ?? confidence
        source = provenance["source"]?.string ?? source
    }

    /// Writes the parameter. If `masked` is `true`, the members with the value are replaced by a mark that there is
    /// one.
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
