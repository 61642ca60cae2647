package import ArgumentParser
import Foundation
import RecordLog

/// The exit codes of all programs of this package.
extension ExitCode {
    /// The command line, a file or a setting is wrong.
    package static let usage = ExitCode(2)
    /// A prompt has to be answered first.
    package static let needsInput = ExitCode(3)
    /// The operation failed.
    package static let failed = ExitCode(4)
    /// The operation timed out.
    package static let timedOut = ExitCode(5)
}

extension AsyncParsableCommand {
    /// Runs the command as a program: parses the arguments and ends the process with one of the exit codes above.
    package static func runAsProgram() async -> Never {
        do {
            var command = try await asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand { try await command.run() } else { try command.run() }
            leave(.success)
        } catch let code as ExitCode {
            leave(code)
        } catch {
            let text = fullMessage(for: error)
            switch exitCode(for: error) {
            case .success:
                if !text.isEmpty { print(text) }
                leave(.success)
            case .validationFailure:
                complain(text)
                leave(.usage)
            default:
                complain((error as? LogError)?.message ?? text)
                leave((error as? LogError)?.code == .timedOut ? .timedOut : .failed)
            }
        }
    }

    private static func leave(_ code: ExitCode) -> Never {
        fflush(nil)
        Foundation.exit(code.rawValue)
    }
}
