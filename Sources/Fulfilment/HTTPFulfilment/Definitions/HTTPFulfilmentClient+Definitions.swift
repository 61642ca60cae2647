import Foundation
import IntentFiles
import IntentModel
import IntentRuntime

/// Makes the fulfilment of an intent of a definition file. Called at the start, and each time the files are read again.
typealias DefinitionFulfiller = @Sendable (FulfilmentDeclaration, IntentDeclaration) throws -> any IntentFulfilment

extension HTTPFulfilmentClient {
    /// Returns a function that fulfils the intents of definition files over HTTP.
    ///
    /// - Parameter environment: The environment variables, which contain the secrets.
    func fulfiller(environment: [String: String] = ProcessInfo.processInfo.environment) -> DefinitionFulfiller {
        { declaration, intent in
            var configuration = HTTPFulfilmentConfiguration(url: declaration.url)
            configuration.phases = declaration.phases
            configuration.timeout = declaration.timeout
            configuration.retries = declaration.retries
            configuration.maximumResponseBytes = declaration.maximumResponseBytes
            configuration.redirects = declaration.redirects
            configuration.headers = declaration.headers
            configuration.isAtMostOnce = intent.policy.effect == .atMostOnce
            if let variable = declaration.secretVariable {
                guard let secret = environment[variable], !secret.isEmpty else {
                    throw UnusableFulfilment(
                        description:
                            "\(declaration.place(of: "secret", in: intent)): the environment variable \(variable) is not set or is empty"
                    )
                }
                configuration.secret = secret
            }
            do throws(HTTPFulfilmentError) { return try HTTPIntentFulfilment(configuration, client: self) } catch {
                throw UnusableFulfilment(
                    description: "\(declaration.place(of: error.field, in: intent)): \(error.message)")
            }
        }
    }
}

/// An error for a fulfilment of a definition file that this process can't use.
private struct UnusableFulfilment: Error, CustomStringConvertible { let description: String }
