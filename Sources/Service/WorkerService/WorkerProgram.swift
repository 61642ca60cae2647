public import IntentKit
import PipelineService

/// A program that works on your intents:
///
/// ```swift
/// @main
/// struct Greenhouse: WorkerProgram {
///     static let extensions: [any IntentExtension] = [GreenhouseExtension()]
/// }
/// ```
/// Started without arguments, one process works on every phase. With `--phase resolve` (or `confirm`, `handle`, `in-app`; may be
/// repeated) it works only on these phases, so that a phase with more work can have more processes and its own credentials.
///
/// What it serves is in the catalogue while it runs. With `--service` it is a service of its own, beside programs that serve other intents.
///
/// It finds Kafka by `--bootstrap-servers` or `KAFKA_BOOTSTRAP_SERVERS`; `--help` lists the other options. On SIGTERM and SIGINT it finishes its
/// running work and ends with 0. Exit codes: 2 for wrong arguments, settings or declarations, 4 for any other failure, after which it should be
/// restarted.
///
/// A program that has its own `main` runs an ``IntentWorker`` instead.
public protocol WorkerProgram {
    /// The extensions that it serves. Two of them must not serve the same intent.
    static var extensions: [any IntentExtension] { get }

    /// Reads what people say for parameters whose types do not read it themselves, such as `SpokenValueReader()`. Defaults to none.
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
