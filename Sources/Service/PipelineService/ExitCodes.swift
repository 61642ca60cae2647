package import ArgumentParser
import Foundation
import RecordLog

/// The exit codes of all programs of this package.
extension ExitCode {
    /// A check has found a fault of the pipeline.
    package static let faulty = ExitCode(1)
    /// The command line, a file or a setting is wrong.
    package static let usage = ExitCode(2)
    /// A prompt must be answered first.
    package static let needsInput = ExitCode(3)
    /// The operation failed.
    package static let failed = ExitCode(4)
    /// The operation timed out.
    package static let timedOut = ExitCode(5)
}

extension AsyncParsableCommand {
    /// Runs the command as a program: parses the arguments, and ends the process with one of the exit codes above.
    ///
    /// - Parameter arguments: The arguments; `nil` for those of the process.
    package static func runAsProgram(_ arguments: [String]? = nil) async -> Never {
        do {
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
            endProcess(.success)
        } catch let code as ExitCode {
            endProcess(code)
        } catch {
            let text = fullMessage(for: error)
            switch exitCode(for: error) {
            case .success:
                if !text.isEmpty { print(text) }
                endProcess(.success)
            case .validationFailure:
                complain(text)
                endProcess(.usage)
            default:
                complain((error as? LogError)?.message ?? text)
                endProcess((error as? LogError)?.code == .timedOut ? .timedOut : .failed)
            }
        }
    }
}

/// Ends the process with `code` after all printed output is written.
///
/// No exit handlers run. OpenSSL's exit handler frees the same memory that every thread that has called librdkafka
/// frees at its end, and other threads still run. Both at the same time abort the process with a double free (OpenSSL
/// #6214).
package func endProcess(_ code: ExitCode) -> Never {
    fflush(nil)
    _exit(code.rawValue)
}
