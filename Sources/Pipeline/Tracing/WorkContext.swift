public import Conversation
public import IntentModel

/// What a handler works for, during each call: for its log lines, and for what it traces.
public struct WorkContext: Sendable {
    public let session: Identifier
    public let request: Identifier
    /// The trace context of the work; `nil` if it came without one.
    public let trace: TraceContext?

    /// That of the running call; `nil` outside of calls.
    @TaskLocal public static var current: WorkContext?
}

extension TraceContext {
    /// Whether its sender records the trace. It looks at the flags alone.
    package var isRecorded: Bool {
        // 'utf8.last' would copy what is not native.
        guard parent.utf8.count >= 55 else { return false }
        let flags = parent.utf8[parent.utf8.index(parent.utf8.startIndex, offsetBy: 54)]
        return flags & 1 == (flags >= UInt8(ascii: "a") ? 0 : 1)
    }
}
