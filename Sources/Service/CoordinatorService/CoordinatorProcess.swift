package import ArgumentParser
import Conversation
import Foundation
import IntentEvents
import IntentModel
import Logging
package import Pipeline
package import PipelineService
import RDKafkaLog
import RecordLog
import ServiceLifecycle

/// The program `intent-coordinator`.
package struct CoordinatorProcess: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: PipelineProgram.coordinator.commandName,
        abstract: "Coordinates conversations: dispatches work, prompts people and reports results.",
        discussion: """
            Reads intents.requests, intents.answers and intents.outcomes, writes its decisions to intents.sessions, and then work to intents.resolve, intents.confirm \
            and intents.handle, and results to intents.results. Several coordinators share the partitions. If one crashes, the others take over its \
            partitions and continue where it stopped.

            On SIGTERM or SIGINT it finishes its running work and ends. Exit codes: 0 ended as requested, 2 wrong arguments or settings, 4 failure.
            """,
        version: PipelineVersion.text)

    @OptionGroup package var options: ProcessOptions

    @Option(help: ArgumentHelp("How long a person has to answer a prompt, in seconds.", valueName: "seconds"))
    package var answerTimeout: Int = 120

    @Option(
        help: ArgumentHelp(
            "The longest time for an answer or an approval, whatever an intent declares, in seconds.",
            valueName: "seconds"))
    package var maximumAnswerTimeout: Int = 2_592_000

    @Option(
        help: ArgumentHelp(
            """
            A file of phrases that answers in words may use, beside the built-in ones: {"de": {"yes": ["jawoll"]}}. \
            The meanings: \(PhraseBook.Meaning.allCases.map(\.rawValue).joined(separator: ", ")).
            """, valueName: "file"))
    package var phrases: String?

    @Option(help: ArgumentHelp("How long a phase may take at a worker, in seconds.", valueName: "seconds"))
    package var phaseTimeout: Int = 60

    @Option(help: ArgumentHelp("How long a session without a request is remembered, in seconds.", valueName: "seconds"))
    package var idleTimeout: Int = 1_800

    @Option(
        help: ArgumentHelp(
            "How long repeats of a forgotten session's requests are ignored, in seconds.", valueName: "seconds"))
    package var repeatTimeout: Int = 3_600

    @Option(
        help: ArgumentHelp(
            "How long repeats of a request are ignored whose once-only handler may have been called, in seconds.",
            valueName: "seconds"))
    package var onceRepeatTimeout: Int = 86_400

    @Option(
        help: ArgumentHelp(
            """
            A file of secrets that handoffs are signed with, one per line, at least 16 bytes each. The first one signs; all of them are accepted. \
            [environment: INTENTS_HANDOFF_SECRET, the secret itself]
            """, valueName: "file"))
    package var handoffSecretFile: String?

    @Flag(help: "Offer handoffs without tokens: who may write intents.answers can claim each of them.")
    package var openHandoffs = false

    @Option(
        help: ArgumentHelp(
            """
            Who is trusted to speak for the person. open: who may write intents.requests or intents.answers. separate: only who may write intents.answers; \
            intents.requests takes requests, and answers that fill in values or say no, and their principals do not count as authenticated.
            """, valueName: "open|separate"), transform: CoordinatorProcess.trust)
    package var trust = InputTrust.open

    @Option(
        help: ArgumentHelp(
            "How many events a second a principal may send in one partition, or anyone in a session without an owner. Beyond it they are rejected as busy.",
            valueName: "events"))
    package var maximumRate: Int = 100

    @Option(help: ArgumentHelp("How many such events may come at once.", valueName: "events"))
    package var maximumBurst: Int = 1_000

    @Option(help: ArgumentHelp("How many sessions a principal may have open in one partition.", valueName: "sessions"))
    package var maximumSessionsOfPrincipal: Int = 1_000

    @Option(
        help: ArgumentHelp(
            """
            How much of its memory what is remembered about people may take, in MiB. Past it, what was said the longest ago is asked again.
            """, valueName: "MiB"))
    package var personMemory: Int = 256

    @Option(
        help: ArgumentHelp(
            """
            How many partitions to follow, at most, beside those that this process owns: it keeps the newest records of their sessions in memory, so that it takes \
            one of them over at once. Those nearest in number to its own are followed, because Kafka deals out runs of numbers. With the number of \
            all partitions, or more, it is prepared for each of them, and before it joins the group all of them are read.
            """, valueName: "partitions"))
    package var standby: Int = 0

    @Option(
        help: ArgumentHelp(
            "How long to read journals before joining the group, at most, with --standby. What is missing then is read later.",
            valueName: "seconds"))
    package var warmUp: Int = 120

    package init() {}

    private static func trust(_ text: String) throws -> InputTrust {
        guard let trust = InputTrust(rawValue: text) else {
            throw ValidationError("'\(text)' is none of open and separate.")
        }
        return trust
    }

    package func validate() throws {
        for (name, value) in [
            ("answer-timeout", answerTimeout), ("maximum-answer-timeout", maximumAnswerTimeout),
            ("phase-timeout", phaseTimeout), ("idle-timeout", idleTimeout),
        ]
        where value < 1 {
            throw ValidationError("--\(name) must be at least 1 second.")
        }
        for (name, value) in [
            ("maximum-rate", maximumRate), ("maximum-burst", maximumBurst),
            ("maximum-sessions-of-principal", maximumSessionsOfPrincipal),
            ("person-memory", personMemory),
        ] where value < 1 {
            throw ValidationError("--\(name) must be at least 1.")
        }
        for (name, value) in [
            ("repeat-timeout", repeatTimeout), ("once-repeat-timeout", onceRepeatTimeout), ("standby", standby),
            ("warm-up", warmUp),
        ] where value < 0 {
            throw ValidationError("--\(name) must not be negative.")
        }
    }

    package func run() async throws {
        options.logging.bootstrap()
        let logger = options.logging.logger("intent-coordinator")
        if options.stopWithInput { stopProcessWithInput() }
        let tokens = try handoffTokens(logger)
        let topics = options.kafka.topics
        let log = try options.kafka.log(defaults: PipelineDefaults.coordinator, logger: logger)
        var policy = SessionPolicy()
        policy.answerTimeout = .seconds(answerTimeout)
        policy.maximumAnswerTimeout = .seconds(maximumAnswerTimeout)
        policy.phrases = try phraseBook()
        policy.phaseTimeout = .seconds(phaseTimeout)
        policy.idleTimeout = .seconds(idleTimeout)
        policy.repeatTimeout = .seconds(repeatTimeout)
        policy.onceRepeatTimeout = .seconds(onceRepeatTimeout)
        var configuration = CoordinatorConfiguration(
            topics: topics, policy: policy, owner: "\(options.name)-\(UUID().uuidString.prefix(8).lowercased())")
        configuration.handoffTokens = tokens
        configuration.trust = trust
        configuration.limits.maximumRate = Double(maximumRate)
        configuration.limits.maximumBurst = maximumBurst
        configuration.limits.maximumSessionsOfPrincipal = maximumSessionsOfPrincipal
        let telemetry = try options.telemetry.open(
            service: "intent-coordinator", instance: options.name, logger: logger)
        telemetry.health.expect(members: 1)
        let encryption = try options.kafka.encryption(logger: logger)
        try await runServices(
            [
                CoordinatorLoop(
                    log: log, configuration: configuration, standby: (standby, .seconds(warmUp)),
                    memoryBytes: personMemory << 20,
                    encryption: encryption, name: options.name, telemetry: telemetry, logger: logger)
            ], telemetry: telemetry, logger: logger)
    }
}

extension CoordinatorProcess {
    /// - Throws: A `ValidationError` that names the file and the problem.
    private func phraseBook() throws -> PhraseBook {
        var book = PhraseBook.builtIn
        guard let phrases else { return book }
        guard let data = FileManager.default.contents(atPath: phrases) else {
            throw ValidationError("The file '\(phrases)' of --phrases can't be read.")
        }
        do { try book.add(try JSONView(parsing: Array(data))) } catch {
            throw ValidationError("The file '\(phrases)' of --phrases: \(error).")
        }
        return book
    }

    /// - Throws: A `ValidationError` that names the setting and the problem.
    private func handoffTokens(_ logger: Logger) throws -> HandoffTokens? {
        var secrets: [[UInt8]] = []
        if let file = handoffSecretFile {
            guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
                throw ValidationError("The file '\(file)' of --handoff-secret-file is not readable text.")
            }
            secrets = text.split(whereSeparator: \.isNewline).map { Array($0.utf8) }
        } else if let secret = ProcessInfo.processInfo.environment["INTENTS_HANDOFF_SECRET"], !secret.isEmpty {
            secrets = [Array(secret.utf8)]
        } else if openHandoffs {
            logger.warning("handoffs are open: who may write \(options.kafka.topics.answers) can claim each of them")
            return nil
        } else {
            throw ValidationError(
                "Handoffs need a secret that all coordinators have: --handoff-secret-file, whose path '\(PipelineProgram.tool) dev' prints, or INTENTS_HANDOFF_SECRET. With --open-handoffs there is none, and anyone who may write \(options.kafka.topics.answers) can claim them."
            )
        }
        if openHandoffs { throw ValidationError("There is a handoff secret: leave --open-handoffs out.") }
        guard let tokens = HandoffTokens(secrets: secrets) else {
            throw ValidationError(
                "Each handoff secret must have at least \(HandoffTokens.minimumSecretLength) bytes; several secrets are on separate lines."
            )
        }
        return tokens
    }
}
