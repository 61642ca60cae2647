#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The context of a call to a handler: its session and request, progress reports, and questions to the person.
public struct Context: Sendable {
    /// The context of the phase that is running; `nil` outside of a phase.
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

    public var session: Identifier { invocation.session }
    public var request: Identifier { invocation.request }
    /// 1 for the first attempt of this phase.
    public var attempt: Int { invocation.attempt }
    /// When an outcome is no longer of use; `nil` if there is no limit.
    public var deadline: Date? { invocation.deadline.map(Date.init(milliseconds:)) }
    /// The same for every repeat of one handle call: pass it on to every call that must not happen twice.
    public var idempotencyKey: Identifier { invocation.idempotencyKey }
    /// A BCP 47 tag such as `en-GB`.
    public var locale: String? { invocation.locale }
    /// The person's time zone, by its IANA name such as `Europe/Amsterdam`; `nil` if it is not known.
    public var timeZone: String? { invocation.timeZone }
    /// When the person said what this phase reads; `nil` if it is not known.
    public var now: Date? { invocation.now.map(Date.init(milliseconds:)) }
    /// The attributes of the session.
    public var attributes: [String: JSON] { invocation.attributes }
    /// Who has requested the intent, as the channel that the request came by has authenticated them; `nil` if it has not.
    public var principal: Principal? { invocation.principal }
    /// What is remembered from earlier intents, by the session and for the person, by the keys under which parameters are remembered (``ParameterMemory``).
    public var memory: [String: JSON] { invocation.memory }
    /// Whether this runs in the app's workers instead of the extension's: after `handleInApp`.
    public var isInApp: Bool { invocation.isInApp }
    /// Whether the request was cancelled, by the person or a timeout. The task is cancelled too, so every `await` that checks for cancellation
    /// throws.
    public var isCancelled: Bool { Task.isCancelled }

    /// Why the request was cancelled; `nil` if it was not.
    public var cancellationReason: CancellationReason? { cancellation?.reason }
    /// After a cancel: when the pipeline stops waiting for this handler's outcome; `nil` if it does not wait.
    public var cleanupDeadline: Date? { cancellation?.until.map(Date.init(milliseconds:)) }

    /// Throws `CancellationError` if the request was cancelled. Rethrow it: the request then ends as cancelled.
    public func checkCancellation() throws { try Task.checkCancellation() }

    /// Reports progress to the person.
    ///
    /// - Parameter fraction: 0 to 1; other values are clamped.
    public func report(fraction: Double? = nil, dialog: LocalizedText? = nil) {
        send(IntentProgress(code: phase == .handle ? .inProgress : nil, fraction: fraction, dialog: dialog?.text(in: locale)))
    }
}

extension Context {
    /// A text in the language of the request, where something other than a dialog needs one. Dialogs are ``LocalizedText`` themselves.
    public func text(_ text: LocalizedText) -> String { text.text(in: locale) }
}
