import Synchronization

/// The state of one run of one phase: the questions, the answers to earlier questions, and the ending of a run that
/// does not end by returning.
///
/// Only the first ending takes effect, even if the code catches the error that stops the run.
package final class PhaseScope: Sendable {
    package enum Ending: Sendable {
        case asked(PhaseQuestion)
        case responded(IntentResponse)
        case failed(IntentFailure)
    }

    package struct State: Sendable {
        var ending: Ending?
        /// The number of questions so far, by the stem of their identifiers.
        var occurrences: [String: Int] = [:]
        /// The names of the `once` calls so far.
        var effects: Set<String> = []
        var recorded: [String: JSON]
        /// The converted answers to questions for values, by question. Range and options have been checked.
        package var values: [String: any ParameterValue] = [:]
        /// The resolved values of answers, by parameter, if they differ from the answers themselves.
        package var appliedAnswers: [String: JSON] = [:]

        /// Without a copy of the ending.
        var isRunning: Bool { if case .none = ending { true } else { false } }
    }

    package let invocation: InvocationContext
    let phase: Phase
    /// The names of the intent's parameters.
    private let names: [String]
    private let identities: [ObjectIdentifier]
    private let parameters: [ParameterState]
    /// The reader for text that types can't read themselves; `nil` if the registry has no reader.
    package let spokenValues: (any SpokenValueReading)?
    private let state: Mutex<State>

    package init(
        _ invocation: InvocationContext, phase: Phase, names: [String] = [], identities: [ObjectIdentifier] = [],
        parameters: [ParameterState] = [], spokenValues: (any SpokenValueReading)? = nil
    ) {
        self.invocation = invocation
        self.phase = phase
        self.names = names
        self.identities = identities
        self.parameters = parameters
        self.spokenValues = spokenValues
        state = Mutex(State(recorded: invocation.recorded))
    }

    package func withState<Result>(_ body: (inout sending State) throws -> sending Result) rethrows -> Result {
        try state.withLock(body)
    }

    package var ending: Ending? { state.withLock { $0.ending } }
    package var recorded: [String: JSON] { state.withLock { $0.recorded } }
    package var appliedAnswers: [String: JSON] { state.withLock { $0.appliedAnswers } }

    /// `true` if the code has set no ending, nothing is recorded by this run or an earlier one, and the person has
    /// answered nothing.
    package var isUntouched: Bool {
        invocation.answers.isEmpty && state.withLock { $0.recorded.isEmpty && $0.isRunning }
    }

    /// `true` if a value that the person has neither chosen nor confirmed has less than the sufficient confidence.
    var hasDoubtfulValue: Bool {
        parameters.contains { state in
            guard let confidence = state.provenance?.confidence, state.origin != .confirmed, state.origin != .chosen
            else { return false }
            return confidence < ParameterState.Provenance.sufficientConfidence
        }
    }

    /// Ends the run, unless the run has already ended.
    ///
    /// - Returns: The error that the code has to throw to leave the run.
    package func end(_ ending: Ending) -> any Error {
        state.withLock { if $0.ending == nil { $0.ending = ending } }
        if case .failed(let failure) = ending { return failure }
        return PhaseEnded()
    }

    /// Returns the name of the parameter with this declaration.
    package func name(of identity: ObjectIdentifier) -> String? {
        identities.firstIndex(of: identity).map { names[$0] }
    }
}

/// The error that stops a handler's code. The ``PhaseScope`` holds the ending of the run.
package struct PhaseEnded: Error {}
