package import ArgumentParser
import Foundation
package import IntentEvents
package import Logging
package import RDKafkaLog
import RecordLog

/// How to reach Kafka: the same options in every program.
package struct KafkaOptions: ParsableArguments, @unchecked Sendable {
    @Option(
        name: [.customShort("b"), .long], help: "Kafka's addresses, host:port, separated by commas. [environment: KAFKA_BOOTSTRAP_SERVERS]")
    package var bootstrapServers: String?

    @Option(
        name: .customShort("X", allowingJoined: true),
        help: ArgumentHelp("A librdkafka property, such as security.protocol=ssl. May be repeated.", valueName: "name=value"))
    package var properties: [String] = []

    @Option(
        name: .customLong("kafka-config"),
        help: ArgumentHelp(
            "A file of librdkafka properties in kcat's syntax, a name=value on each line. [environment: INTENTS_KAFKA_CONFIG]",
            valueName: "file"))
    package var kafkaConfig: String?

    @Option(help: "What the names of the topics and groups begin with. [environment: INTENTS_TOPIC_PREFIX]")
    package var topicPrefix: String?

    package init() {}

    private static func environment(_ name: String) -> String? { ProcessInfo.processInfo.environment[name] }

    package var topics: Topics { Topics(prefix: topicPrefix ?? Self.environment("INTENTS_TOPIC_PREFIX") ?? "intents") }

    /// The same options for this address, with properties that hold unless `-X` says otherwise.
    package func connecting(to servers: String, properties: [String]) -> KafkaOptions {
        var options = self
        options.bootstrapServers = servers
        options.properties = properties + options.properties
        return options
    }

    /// The arguments that give a child process the same Kafka.
    package func arguments(bootstrapServers: String) -> [String] {
        var arguments = ["--bootstrap-servers", bootstrapServers]
        for property in properties { arguments += ["-X", property] }
        if let kafkaConfig { arguments += ["--kafka-config", kafkaConfig] }
        if let topicPrefix { arguments += ["--topic-prefix", topicPrefix] }
        return arguments
    }

    /// - Parameter defaults: properties that take effect unless the file or `-X` says otherwise.
    /// - Throws: a `ValidationError` that names the setting and what is wrong with it.
    package func configuration(defaults: [String: String] = [:], logger: Logger? = nil) throws -> KafkaConfiguration {
        do {
            var properties = defaults
            if let file = kafkaConfig ?? Self.environment("INTENTS_KAFKA_CONFIG") {
                guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                    throw ValidationError("The file '\(file)' can't be read as text.")
                }
                properties.merge(try KafkaConfiguration.properties(parsing: text)) { $1 }
            }
            for property in self.properties {
                let (name, value) = try KafkaConfiguration.property(parsing: property)
                properties[name] = value
            }
            let servers = bootstrapServers ?? Self.environment("KAFKA_BOOTSTRAP_SERVERS")
            guard servers != nil || properties["bootstrap.servers"] != nil else {
                throw ValidationError("Where is Kafka? Give --bootstrap-servers host:port, or set KAFKA_BOOTSTRAP_SERVERS.")
            }
            var configuration = KafkaConfiguration(bootstrapServers: servers, properties: properties)
            if let logger {
                configuration.logHandler = { level, facility, message in
                    logger.log(
                        level: level <= 3 ? .error : level <= 5 ? .warning : .debug, "\(message)", metadata: ["facility": "\(facility)"])
                }
            }
            try configuration.validate()
            return configuration
        } catch let error as LogError {
            throw ValidationError(error.message)
        }
    }

    /// - Throws: a `ValidationError` that names the setting and what is wrong with it.
    package func log(defaults: [String: String] = [:], logger: Logger? = nil) throws -> KafkaLog {
        KafkaLog(try configuration(defaults: defaults, logger: logger))
    }
}
