package import ArgumentParser
import Foundation
import MessageAuthentication

/// The option for the key that seals the values that agents send back: handles, states and ids of tasks.
package struct SealingKeyOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            A file with the key that authenticates the handles of agents, as 'openssl rand -hex 32' prints it. Processes that serve the same agents need the same key. Without \
            it, each process makes its own.
            """, valueName: "file"))
    package var stateKeyFile: String?

    package init() {}

    /// Reads the key, or creates a random one without the option.
    ///
    /// - Throws: A `ValidationError` that names the file and the problem.
    package func key() throws -> [UInt8] {
        guard let stateKeyFile else { return (0..<32).map { _ in UInt8.random(in: .min ... .max) } }
        let text: String
        do { text = try String(contentsOfFile: stateKeyFile, encoding: .utf8) } catch {
            throw ValidationError(
                "--state-key-file \(stateKeyFile) can't be read: does it exist, and may this user read it?")
        }
        guard let key = Hexadecimal.decode(text.trimmingCharacters(in: .whitespacesAndNewlines)), key.count >= 32 else {
            throw ValidationError(
                "--state-key-file \(stateKeyFile) has no key: it is one line of 64 hexadecimal digits.")
        }
        return key
    }
}
