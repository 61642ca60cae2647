import ArgumentParser
import Foundation
import HTTPFulfilment
import IntentRuntime
import Logging
import Pipeline
import RDKafkaLog
import RecordLog
import UnixSignals

extension WorkerOptions {
    /// Works on what these roles have to do, each with a client and a thread of its own, until the process is asked to end.
    ///
    /// - Parameters:
    ///   - callback: whether it also takes what services answer later.
    ///   - make: makes a registry with the intents of definition files beside those that the program is built with.
    /// - Throws: a `ValidationError` that names a setting that is wrong; ``ArgumentParser/ExitCode/usage`` after it has said all that is wrong with
    ///   the definitions; ``ArgumentParser/ExitCode/failed`` for anything else, after it has logged why.
    func work(
        _ roles: [WorkerRole], callback: CallbackOptions? = nil,
        serving make: @escaping @Sendable ([IntentDeclaration]) throws -> IntentRegistry
    ) async throws {
        guard let client = try definitions.client(try callback?.url()) else {
            let served: ServedIntents
            do { served = try ServedIntents(make) } catch { throw ValidationError("\(error)") }
            return try await work(roles, callback, served)
        }
        do {
            try await work(roles, callback, try served(make, client))
            await client.close()
        } catch {
            await client.close()
            throw error
        }
    }

    private func served(
        _ make: @escaping @Sendable ([IntentDeclaration]) throws -> IntentRegistry, _ client: HTTPFulfilmentClient
    ) throws -> ServedIntents {
        do {
            return try ServedIntents(make, directory: definitions.definitions, fulfil: client.fulfiller())
        } catch {
            for line in ServedIntents.problems(error) { complain(line) }
            complain("The definitions have mistakes; nothing is served.")
            throw ExitCode.usage
        }
    }

    private func work(_ roles: [WorkerRole], _ callback: CallbackOptions?, _ served: ServedIntents) async throws {
        let topics = process.kafka.topics
        if process.stopWithInput { stopProcessWithInput() }
        let name = roles.count == 1 ? "intent-\(roles[0].configuration(topics).role)" : "intent-worker"
        let logger = process.logging.logger(name)
        // Before anybody knows of this process: without it the signal would end it.
        let hangups = definitions.definitions == nil ? nil : await UnixSignalsSequence(trapping: .sighup)
        let services = try callback?.services(process, logger: logger) ?? []
        let log = try process.kafka.log(defaults: PipelineDefaults.worker, logger: logger)
        try await TopicCheck.begin(with: topics, in: log, logger: logger)
        var loops: [PollLoop] = []
        for role in roles {
            var configuration = role.configuration(topics)
            configuration.maximumInFlight = concurrency
            configuration.instance = process.name
            loops.append(try loop(configuration, served, log, logger))
        }
        let role = roles.count == 1 ? roles[0].configuration(topics).role : "worker"
        let reloading = Task {
            guard let hangups else { return }
            for await _ in hangups { served.reload(role: role, logger: logger) }
        }
        defer { reloading.cancel() }
        try await runLoops(loops, beside: services, logger: logger)
    }

    private func loop(
        _ configuration: WorkerConfiguration, _ served: ServedIntents, _ log: KafkaLog, _ logger: Logger
    ) throws -> PollLoop {
        let client = try log.connect(ClientConfiguration(clientID: "intent-\(configuration.role)", group: configuration.group))
        return PollLoop(name: configuration.role, client: client) { stop in
            let worker = Worker(
                client: client, configuration: configuration, perform: { await served.registry.perform($0, report: $1) },
                policies: { served.registry.policy(of: $0) }, clock: { .now }, logger: logger)
            var announced: [Int32]?
            while !stop.isRequested {
                try worker.step(timeout: .seconds(1))
                if worker.isSteady, announced != worker.ownedPartitions {
                    announced = worker.ownedPartitions
                    announce(configuration.role, partitions: worker.ownedPartitions)
                }
            }
            try worker.close(timeout: .seconds(15))
        }
    }
}
