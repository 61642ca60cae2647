extension ParameterState {
    /// How a value came about, as far as its ``Origin`` does not say it: for audit, and so that a low confidence can be asked about. A secret has none.
    ///
    /// The names are those of Amazon Lex's slots, whose `originalValue` and `interpretedValue` these are; the resolved value is the parameter's own.
    public struct Provenance: Sendable, Hashable {
        /// Where a value comes from that the person did not say.
        public enum Source: String, Sendable, Hashable, CaseIterable {
            /// The declaration's constant default.
            case `default`
            /// An attribute of the request.
            case attribute
            /// What is remembered from earlier requests: by the session, or for the person.
            case remembered
            /// The resolver itself, which was given no value.
            case resolver
            /// Confirm or handle proposed it, and the person agreed.
            case proposed
        }

        /// `nil` if the person said it.
        public var source: Source?
        @Boxed private var memory: Memory? = nil
        /// The words as the person said them, if the value is another one; `nil` if they are longer than ``maximumBytes``.
        public var original: JSON?
        /// What the words were read as, before a resolver replaced it; `nil` if it is the value itself.
        public var interpreted: JSON?
        /// How likely the value is what the person means, from 0 to 1; `nil` if there is no doubt.
        public var confidence: Double?

        public init(source: Source? = nil, original: JSON? = nil, interpreted: JSON? = nil, confidence: Double? = nil) {
            self.source = source
            self.original = original
            self.interpreted = interpreted
            self.confidence = confidence
        }

        /// Where a value was said that is remembered for the person.
        private struct Memory: Sendable, Hashable {
            var intent: String?
            var time: String?
        }

        /// With a value that is remembered for the person: the intent that it was said for.
        public var intent: String? { memory?.intent }
        /// With such a value: when it was said, in RFC 3339.
        public var time: String? { memory?.time }

        /// Notes where a value was said that is remembered for the person.
        package mutating func note(intent: String?, time: String?) {
            memory = intent == nil && time == nil ? nil : Memory(intent: intent, time: time)
        }

        /// The bytes of words, and of what they were read as, that are kept.
        public static let maximumBytes = 1_000

        /// Values that are less likely than this are asked about.
        package static let sufficientConfidence = 0.7

        fileprivate var hasMemory: Bool { _memory.isThere }

        /// Whether it says nothing.
        package var isEmpty: Bool {
            source == nil && !_memory.isThere && original == nil && interpreted == nil && confidence == nil
        }

        package var bytes: Int { (original?.bytes.count ?? 0) + (interpreted?.bytes.count ?? 0) }
    }
}

extension ParameterState.Provenance {
    private static func short(_ value: JSONView) -> JSON? {
        let json = value.json
        return json.bytes.count <= maximumBytes ? json : nil
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("source", ifPresent: source?.rawValue)
        if hasMemory {
            writer.member("intent", ifPresent: intent)
            writer.member("time", ifPresent: time)
        }
        writer.member("original", ifPresent: original)
        writer.member("interpreted", ifPresent: interpreted)
        if let confidence {
            writer.name("confidence")
            writer.number(confidence)
        }
        writer.endObject()
    }

    /// A source that this version does not know is passed over, and words that are too long are left out.
    ///
    /// - Returns: `nil` if nothing is left.
    package init?(_ view: JSONView) {
        self.init()
        var (intent, time): (String?, String?)
        for (name, value) in view.fields {
            switch name {
            case "source": source = value.string.flatMap(Source.init)
            case "intent": intent = value.string.flatMap { $0.utf8.count <= 128 ? $0 : nil }
            case "time": time = value.string.flatMap { Timestamp.parse($0).map(Timestamp.format) }
            case "original": original = Self.short(value)
            case "interpreted": interpreted = Self.short(value)
            case "confidence": confidence = value.double.map { min(max($0, 0), 1) }
            default: break
            }
        }
        if intent != nil || time != nil { note(intent: intent, time: time) }
        if isEmpty { return nil }
    }
}
