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
/// Started without arguments, one process takes work of every phase. With `--phase resolve` (or `confirm`, `handle`, `handle-in-app`; may be
/// repeated) it takes work of these phases alone, so that a phase with more work can have more processes, and credentials of its own.
///
/// It finds Kafka by `--bootstrap-servers` or `KAFKA_BOOTSTRAP_SERVERS`, and `--help` lists the rest. On SIGTERM and SIGINT it finishes the work that it
/// has begun and ends with 0. Exit codes: 2 for wrong arguments, settings or declarations, 4 for anything else; start it again then.
///
/// A program that has its own `main` runs an ``IntentWorker`` instead.
public protocol WorkerProgram {
    /// What it serves. No two of them may serve the same intent.
    static var extensions: [any IntentExtension] { get }

    /// What it serves beside them, such as the intents of definition files. Defaults to nothing.
    associatedtype Source: IntentSource = NoIntentSource
}

extension WorkerProgram {
    /// Runs the program, and ends the process.
    @concurrent
    public static func main() async { await WorkerCommand<Self>.runAsProgram() }
}
