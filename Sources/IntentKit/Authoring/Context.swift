/// Where and for whom a handler works, how it can say how far it is, and what it may ask.
public struct Context: Sendable {
    /// That of the phase that is calling; `nil` outside of one.
    @TaskLocal package static var current: Context?

    public let phase: Phase
    package let scope: PhaseScope
    private let cancellation: IntentCancellation?
    private let send: @Sendable (IntentProgress) -> Void

    public init(_ invocation: InvocationContext, phase: Phase, report: @escaping @Sendable (IntentProgress) -> Void = { _ in }) {
        self.init(PhaseScope(invocation, phase: phase), report: report)
    }

    package init(_ scope: PhaseScope, report: @escaping @Sendable (IntentProgress) -> Void) {
        self.scope = scope
        phase = scope.phase
        cancellation = .current
        send = report
    }

    private var invocation: InvocationContext { scope.invocation }

    public var session: String { invocation.session }
    public var request: String { invocation.request }
    /// 1 for the first try of this phase.
    public var attempt: Int { invocation.attempt }
    /// When an answer is no longer of use; milliseconds since 1970.
    public var deadline: Int64? { invocation.deadline }
    /// The same for every repeat of one handle: pass it on to whatever must not happen twice.
    public var idempotencyKey: String { invocation.idempotencyKey }
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String? { invocation.locale }
    /// What the session knows.
    public var attributes: [String: JSON] { invocation.attributes }
    /// What this session remembers of earlier intents, by the keys under which parameters are remembered (``ParameterMemory``).
    public var memory: [String: JSON] { invocation.memory }
    /// The app's workers do this, not the extension's: after `handleInApp`.
    public var isInApp: Bool { invocation.isInApp }
    /// Whether the person or a time limit has called this off. The task is cancelled too, so `await`s that heed that throw.
    public var isCancelled: Bool { Task.isCancelled }

    /// Why it has been called off; `nil` as long as it has not.
    public var cancellationReason: CancellationReason? { cancellation?.reason }
    /// Once it has been called off: until when an answer of this handler is still waited for. Milliseconds since 1970; `nil` if nobody waits.
    public var cleanupDeadline: Int64? { cancellation?.until }

    /// Throws `CancellationError` if this has been called off. Let it through: the request then ends as cancelled.
    public func checkCancellation() throws { try Task.checkCancellation() }

    /// Tells the person how far it is.
    ///
    /// - Parameter fraction: 0 to 1; what lies outside is brought inside.
    public func report(fraction: Double? = nil, dialog: String? = nil) {
        send(IntentProgress(code: phase == .handle ? .inProgress : nil, fraction: fraction, dialog: dialog))
    }
}

extension Context {
    /// A text in the language of the request, for a dialog:
    ///
    /// ```swift
    /// return .success(dialog: context.text("\(driver) will be there in \(minutes) minutes."))
    /// ```
    public func text(_ text: LocalizedText) -> String { text.text(in: locale) }
}
