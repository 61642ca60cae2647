package import ArgumentParser
import Foundation
package import IntentEvents
package import Logging
package import RDKafkaLog
import RecordLog

/// The options for the connection to Kafka, which are the same in every program.
package struct KafkaOptions: ParsableArguments, @unchecked Sendable {
    @Option(
        name: [.customShort("b"), .long],
        help: """
            Kafka's addresses, host:port, separated by commas. Defaults to the pipeline of '\(PipelineProgram.tool) dev', if it runs on this machine. [environment: \
            KAFKA_BOOTSTRAP_SERVERS]
            """)
    package var bootstrapServers: String?

    @Option(
        name: .customShort("X", allowingJoined: true),
        help: ArgumentHelp(
            "A librdkafka property, such as security.protocol=ssl. May be repeated. Secrets belong in the file of --kafka-config.",
            valueName: "name=value"))
    package var properties: [String] = []

    @Option(
        name: .customLong("kafka-config"),
        help: ArgumentHelp(
            """
            A file of librdkafka properties in kcat's syntax, one name=value per line. With secrets, only its owner should be able to read it. \
            [environment: INTENTS_KAFKA_CONFIG]
            """, valueName: "file"))
    package var kafkaConfig: String?

    @Option(
        name: .customLong("encryption-key-file"),
        help: ArgumentHelp(
            """
            A file of keys that encrypt what the pipeline writes, one per line, as 'openssl rand -hex 32' prints them. The first one encrypts; all of them \
            decrypt. All processes need it. [environment: INTENTS_ENCRYPTION_KEY_FILE]
            """, valueName: "file"))
    package var encryptionKeyFile: String?

    @Option(help: "The prefix of the names of topics and groups. [environment: INTENTS_TOPIC_PREFIX]")
    package var topicPrefix: String?

    package init() {}

    /// Rejects secrets, because every user of the machine can read the arguments of a process.
    package func validate() throws {
        for property in properties {
            guard let (name, _) = try? KafkaConfiguration.property(parsing: property), KafkaConfiguration.isSecret(name)
            else { continue }
            let path = name == "ssl.key.pem" ? " Or name the file of the key with -X ssl.key.location=FILE." : ""
            throw ValidationError(
                "\(name) is a secret, and every user of this machine can read arguments: write it to a file that only you can read, and name that "
                    + "with --kafka-config or INTENTS_KAFKA_CONFIG.\(path)")
        }
    }

    private var propertiesFile: String? { kafkaConfig ?? Self.environment("INTENTS_KAFKA_CONFIG") }

    /// `true` if nothing names the certificates to trust. The OpenSSL of a wheel would look for them where the system
    /// that has built the wheel has its own.
    package static func mustProbeCertificates(_ properties: [String: String], _ environment: [String: String]) -> Bool {
        ["ssl.ca.location", "ssl.ca.pem"].allSatisfy { properties[$0] == nil }
            && ["SSL_CERT_FILE", "SSL_CERT_DIR"].allSatisfy { environment[$0] == nil }
    }

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    /// The address of the pipeline that `intents dev` runs, if it listens at its usual port. An empty
    /// `KAFKA_BOOTSTRAP_SERVERS` means that there is no address.
    private static var developmentServers: String? {
        guard environment("KAFKA_BOOTSTRAP_SERVERS") == nil, LocalPort.isOpen(PipelineDefaults.developmentPort) else {
            return nil
        }
        return "127.0.0.1:\(PipelineDefaults.developmentPort)"
    }

    /// The addresses of the option or the environment; `nil` if there are none.
    package var servers: String? {
        bootstrapServers ?? Self.environment("KAFKA_BOOTSTRAP_SERVERS").flatMap { $0.isEmpty ? nil : $0 }
    }

    package var topics: Topics { Self.topics(prefix: topicPrefix) }

    /// - Parameter prefix: The prefix of the topics. Defaults to the environment's prefix.
    package static func topics(prefix: String?) -> Topics {
        Topics(prefix: prefix ?? environment("INTENTS_TOPIC_PREFIX") ?? "intents")
    }

    /// Returns these options with another address, and with properties that `-X` overrides.
    package func connecting(to servers: String, properties: [String]) -> KafkaOptions {
        var options = self
        options.bootstrapServers = servers
        options.properties = properties + options.properties
        return options
    }

    /// Returns these options with a copy of the properties file for child processes. The children can read the copy
    /// whenever they are started, even if the file itself is a pipe, as in `--kafka-config <(…)`. Only this user can
    /// read the copy.
    ///
    /// - Parameter path: A file that does not exist. Without a properties file, it is not created.
    /// - Throws: A `ValidationError` that names the file and the problem.
    package func copyingPropertiesFile(to path: String) throws -> KafkaOptions {
        guard let propertiesFile else { return self }
        let file = try PropertiesFile(propertiesFile)
        if let warning = file.warning { complain(warning) }
        try file.copy(to: path)
        var options = self
        options.kafkaConfig = path
        return options
    }

    /// Returns the arguments that connect a child process to the same Kafka. No argument is a secret.
    package func arguments(bootstrapServers: String) -> [String] {
        var arguments = ["--bootstrap-servers", bootstrapServers]
        for property in properties { arguments += ["-X", property] }
        if let kafkaConfig { arguments += ["--kafka-config", kafkaConfig] }
        if let encryptionKeyFile { arguments += ["--encryption-key-file", encryptionKeyFile] }
        if let topicPrefix { arguments += ["--topic-prefix", topicPrefix] }
        return arguments
    }

    /// Creates the configuration from the options and the environment.
    ///
    /// - Parameter defaults: Properties that the file and `-X` override.
    /// - Throws: A `ValidationError` that names the setting and the problem.
    package func configuration(defaults: [String: String] = [:], logger: Logger? = nil) throws -> KafkaConfiguration {
        do {
            var properties = defaults
            if let propertiesFile {
                let file = try PropertiesFile(propertiesFile)
                if let warning = file.warning {
                    if let logger { logger.warning("\(warning)") } else { complain(warning) }
                }
                properties.merge(file.properties) { $1 }
            }
            for property in self.properties {
                let (name, value) = try KafkaConfiguration.property(parsing: property)
                properties[name] = value
            }
            if PipelineProgram.isCombined, Self.mustProbeCertificates(properties, ProcessInfo.processInfo.environment) {
                properties["ssl.ca.location"] = "probe"
            }
            let servers = properties["bootstrap.servers"] == nil ? servers ?? Self.developmentServers : servers
            guard servers != nil || properties["bootstrap.servers"] != nil else {
                throw ValidationError(
                    """
                    The address of Kafka is missing: use --bootstrap-servers host:port, or set KAFKA_BOOTSTRAP_SERVERS. \
                    '\(PipelineProgram.tool) dev' runs a pipeline on this machine.
                    """)
            }
            var configuration = KafkaConfiguration(bootstrapServers: servers, properties: properties)
            if let logger {
                configuration.logHandler = { level, facility, message in
                    logger.log(
                        level: level <= 3 ? .error : level <= 5 ? .warning : .debug, "\(message)",
                        metadata: ["facility": "\(facility)"])
                }
            }
            try configuration.validate()
            return configuration
        } catch let error as LogError {
            throw ValidationError(error.message)
        }
    }

    /// Returns the encryption of this process's clients; `nil` without encryption.
    ///
    /// - Throws: A `ValidationError` that names the file and the problem.
    package func encryption(logger: Logger? = nil) throws -> ClientEncryption? {
        guard let file = encryptionKeyFile ?? Self.environment("INTENTS_ENCRYPTION_KEY_FILE"), !file.isEmpty else {
            return nil
        }
        return try ClientEncryption(file: file, topics: topics, logger: logger)
    }

    /// Creates the log from the options and the environment.
    ///
    /// - Throws: A `ValidationError` that names the setting and the problem.
    package func log(defaults: [String: String] = [:], logger: Logger? = nil) throws -> KafkaLog {
        KafkaLog(try configuration(defaults: defaults, logger: logger))
    }
}
