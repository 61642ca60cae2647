extension ParameterState {
    /// The provenance of a value, beyond its ``Origin``: for audit, and so that the person can be asked about a value
    /// of low confidence. A secret has none.
    ///
    /// The names are those of Amazon Lex's slots (`originalValue`, `interpretedValue`). The resolved value is the
    /// parameter's own.
    public struct Provenance: Sendable, Hashable {
        /// The source of a value that the person did not say.
        public enum Source: String, Sendable, Hashable, CaseIterable {
            /// The declaration's constant default.
            case `default`
            /// An attribute of the request.
            case attribute
            /// An earlier request, remembered by the session or for the person.
            case remembered
            /// The resolver itself, without a given value.
            case resolver
            /// Confirm or handle proposed the value, and the person agreed.
            case proposed
        }

        /// The source of the value; `nil` if the person said it.
        public var source: Source?
        @Boxed private var memory: Memory? = nil
        /// The words as the person said them, if the value is another one; `nil` if the words are longer than
        /// ``maximumBytes``.
        public var original: JSON?
        /// The interpretation of the words before a resolver replaced it; `nil` if it is the value itself.
        public var interpreted: JSON?
        /// The likelihood that the value is what the person means, from 0 to 1; `nil` if there is no doubt.
        public var confidence: Double?

        public init(source: Source? = nil, original: JSON? = nil, interpreted: JSON? = nil, confidence: Double? = nil) {
            self.source = source
            self.original = original
            self.interpreted = interpreted
            self.confidence = confidence
        }

        /// The origin of a value that is remembered for the person.
        private struct Memory: Sendable, Hashable {
            var intent: String?
            var time: String?
        }

        /// The intent that the value was said for, if the value is remembered for the person.
        public var intent: String? { memory?.intent }
        /// The time at which the value was said, in RFC 3339, if the value is remembered for the person.
        public var time: String? { memory?.time }

        /// Records the origin of a value that is remembered for the person.
        package mutating func recordMemory(intent: String?, time: String?) {
            memory = intent == nil && time == nil ? nil : Memory(intent: intent, time: time)
        }

        /// The maximum number of bytes of ``original``, and of ``interpreted``. Longer texts are not stored.
        public static let maximumBytes = 1_000

        /// The confidence below which the person is asked about a value.
        package static let sufficientConfidence = 0.7

        /// `true` if there is no provenance.
        package var isEmpty: Bool {
            source == nil && !_memory.hasValue && original == nil && interpreted == nil && confidence == nil
        }

        package var bytes: Int { (original?.bytes.count ?? 0) + (interpreted?.bytes.count ?? 0) }
    }
}
