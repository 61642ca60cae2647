import Synchronization

/// One run of one phase: what its code has asked, what it has been answered before, and how it ended if not by returning.
///
/// The first ending counts, even if the code swallows the error that tells it to stop.
package final class PhaseScope: Sendable {
    package enum Ending: Sendable {
        case asked(PhaseQuestion)
        case responded(IntentResponse)
        case failed(IntentFailure)
    }

    package struct State: Sendable {
        var ending: Ending?
        /// How often each kind of question was asked in this run.
        var occurrences: [String: Int] = [:]
        /// The names that `once` was called with in this run.
        var effects: Set<String> = []
        var recorded: [String: JSON]
        /// Answers to questions for values, by question, after conversion, range and options.
        package var values: [String: any ParameterValue] = [:]
        /// The same as JSON, by parameter.
        package var taken: [String: JSON] = [:]
    }

    package let invocation: InvocationContext
    let phase: Phase
    /// The intent's parameters.
    private let names: [String]
    private let identities: [ObjectIdentifier]
    private let state: Mutex<State>

    package init(_ invocation: InvocationContext, phase: Phase, names: [String] = [], identities: [ObjectIdentifier] = []) {
        self.invocation = invocation
        self.phase = phase
        self.names = names
        self.identities = identities
        state = Mutex(State(recorded: invocation.recorded))
    }

    package func withState<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> Result {
        try state.withLock(body)
    }

    package var ending: Ending? { state.withLock { $0.ending } }
    package var recorded: [String: JSON] { state.withLock { $0.recorded } }
    package var taken: [String: JSON] { state.withLock { $0.taken } }

    /// Ends the run unless it has ended already.
    ///
    /// - Returns: What the code has to throw to get out of it.
    package func end(_ ending: Ending) -> any Error {
        state.withLock { if $0.ending == nil { $0.ending = ending } }
        if case .failed(let failure) = ending { return failure }
        return PhaseEnded()
    }

    /// The name of the parameter with this declaration.
    func name(of identity: ObjectIdentifier) -> String? {
        identities.firstIndex(of: identity).map { names[$0] }
    }
}

/// Tells a handler's code to stop. How the run ended stands in its ``PhaseScope``.
package struct PhaseEnded: Error {}
