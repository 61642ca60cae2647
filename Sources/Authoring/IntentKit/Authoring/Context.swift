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

    public init(
        _ invocation: InvocationContext, phase: Phase, report: @escaping @Sendable (IntentProgress) -> Void = { _ in }
    ) {
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
    /// The number of this attempt of the phase, starting with 1.
    public var attempt: Int { invocation.attempt }
    /// The time at which the pipeline stops waiting for the outcome; `nil` if there is no limit.
    public var deadline: Date? { invocation.deadline.map(Date.init(milliseconds:)) }
    /// A key that is the same for every repetition of one handle call. Pass the key to every call that must not happen
    /// twice.
    public var idempotencyKey: Identifier { invocation.idempotencyKey }
    /// The person's language, as a BCP 47 tag such as `en-GB`.
    public var locale: String? { invocation.locale }
    /// The IANA name of the person's time zone, such as `Europe/Amsterdam`; `nil` if the time zone is unknown.
    public var timeZone: String? { invocation.timeZone }
    /// The time at which the person spoke the words that this phase reads; `nil` if the time is unknown.
    public var now: Date? { invocation.now.map(Date.init(milliseconds:)) }
    /// The attributes of the request: facts from the person's side that are not parameters.
    public var attributes: [String: JSON] { invocation.attributes }
    /// The requester of the intent, as authenticated by the channel of the request; `nil` if the channel has
    /// authenticated no one.
    public var principal: Principal? { invocation.principal }
    /// The values remembered from earlier intents, for the session and for the person, by their memory keys
    /// (``ParameterMemory``).
    public var memory: [String: JSON] { invocation.memory }
    /// `true` if the phase runs in the app's workers instead of the extension's workers: after `handleInApp`.
    public var isInApp: Bool { invocation.isInApp }
    /// `true` if this call was cancelled; see ``cancellationReason``. Every `await` that checks for cancellation then
    /// throws.
    public var isCancelled: Bool { Task.isCancelled }

    /// The reason for the cancellation, such as the person, a timeout or the shutdown of the worker; `nil` if this call
    /// was not cancelled.
    public var cancellationReason: CancellationReason? { cancellation?.reason }
    /// The time at which the pipeline stops waiting for this handler's outcome after a cancellation; `nil` if the
    /// pipeline does not wait.
    public var cleanupDeadline: Date? { cancellation?.until.map(Date.init(milliseconds:)) }

    /// Throws `CancellationError` if this call was cancelled. Rethrow the error, so that the request ends as cancelled.
    public func checkCancellation() throws { try Task.checkCancellation() }

    /// Reports progress to the person.
    ///
    /// - Parameter fraction: The completed fraction, 0 to 1. Other values are clamped.
    public func report(fraction: Double? = nil, dialog: LocalizedText? = nil) {
        send(
            IntentProgress(
                code: phase == .handle ? .inProgress : nil, fraction: fraction, dialog: dialog?.text(in: locale)))
    }
}

extension Context {
    /// Returns a text in the language of the request, for uses other than dialogs. Dialogs are ``LocalizedText``
    /// themselves.
    public func text(_ text: LocalizedText) -> String { text.text(in: locale) }
}
