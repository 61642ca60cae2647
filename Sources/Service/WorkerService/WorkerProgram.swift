public import IntentKit
import PipelineService

/// A program that resolves, confirms and handles your intents:
///
/// ```swift
/// @main
/// struct Greenhouse: WorkerProgram {
///     static let extensions: [any IntentExtension] = [GreenhouseExtension()]
/// }
/// ```
/// Without arguments, one process works on every phase. With `--phase resolve` (or `confirm`, `handle`, `in-app`; may
/// be repeated), the process works only on these phases, so that a phase with more work can have more processes and its
/// own credentials.
///
/// The served intents are in the catalogue while the program runs. With `--service`, the program is its own service,
/// beside programs that serve other intents.
///
/// `--bootstrap-servers` or `KAFKA_BOOTSTRAP_SERVERS` names Kafka; `--help` lists the other options. On SIGTERM and
/// SIGINT, the program finishes its running work and ends with 0. Exit codes: 2 for wrong arguments, settings or
/// declarations, 4 for any other failure, after which the program should be restarted.
///
/// A program with its own `main` runs an ``IntentWorker`` instead.
public protocol WorkerProgram {
    /// The program's extensions. Two of them must not serve the same intent.
    static var extensions: [any IntentExtension] { get }

    /// The reader of the person's words for parameters whose types do not read words themselves, such as
    /// `SpokenValueReader()`. Defaults to none.
    static var spokenValues: (any SpokenValueReading)? { get }

    /// A further source of intents, such as definition files. Defaults to none.
    associatedtype Source: IntentSource = NoIntentSource
}

extension WorkerProgram {
    public static var spokenValues: (any SpokenValueReading)? { nil }

    /// Runs the program and ends the process.
    @concurrent
    public static func main() async { await WorkerCommand<Self>.runAsProgram() }
}
