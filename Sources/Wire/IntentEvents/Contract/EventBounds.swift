/// The bounds of members of events, which readers enforce and ``Contract`` publishes. Sizes are bytes of UTF-8.
enum EventBounds {
    /// The id of an event, or of a question of a phase.
    static var id: ClosedRange<Int> { 1...256 }
    /// The id of a session, which is the key of its records.
    static var session: ClosedRange<Int> { 1...128 }
    /// The name of an intent.
    static var intent: ClosedRange<Int> { 1...128 }
    /// The name of a parameter.
    static var parameter: ClosedRange<Int> { 0...128 }
    /// An id or a name that an event repeats, such as a prompt's.
    static var text: ClosedRange<Int> { 1...512 }
    static var locale: ClosedRange<Int> { 0...64 }
    static var timeZone: ClosedRange<Int> { 1...64 }
    static var confidence: ClosedRange<Double> { 0...1 }
}
