import Conversation
import Foundation
import IntentEvents
import Logging
import MCPServer
import NIOCore
import NIOPosix
import PersonGateway
import PipelineService
import RDKafkaLog
import RecordLog
import ServiceLifecycle

/// Waits for the topics, then serves the console until graceful shutdown.
struct ConsoleLoop: Service {
    let log: KafkaLog
    let topics: Topics
    let encryption: ClientEncryption?
    let authenticator: Authenticator
    /// The file with the keys of tokens; `nil` without tokens.
    let keyFile: String?
    let agents: AgentSettings
    let address: ConsoleAddress
    let board: SessionBoard
    let sources: Gateway.Sources
    let telemetry: ProcessTelemetry
    let logger: Logger

    func run() async throws {
        let role: AccessRole = sources.sentEvents ? .console : .person
        guard let partitions = try await TopicCheck.untilReady(topics, as: [role], in: log, logger: logger) else {
            return
        }
        let time = telemetry.watch.clock
        let client = encryption.client(try log.connect(ClientConfiguration(clientID: "intents-console")))
        let gateway = Gateway(
            client: client, topics: topics, partitions: partitions, sources: sources, board: board,
            clock: { time.now }, tracer: telemetry.tracer, logger: logger)
        let archive = ResultArchive(
            client: encryption.client(try log.connect(readOnly("intents-console-archive"))), topics: topics)
        let monitorClient = try log.connect(readOnly("intents-console-monitor"))
        let monitor = TopicMonitor(
            client: monitorClient, log: log, topics: topics, partitions: partitions, logger: logger)
        let figures = FigureTicker(gateway: gateway, monitor: monitor)
        let streams = OpenStreams(authenticator: authenticator)
        let publicAuthority = agents.consoleURL.flatMap { URL(string: $0)?.authority }
        let hosts = address.hosts + (publicAuthority.map { [SameOrigin.host(of: $0)] } ?? [])
        let server = ConsoleServer(
            gateway: gateway, archive: archive, figures: figures, agents: agentRoutes(gateway, time),
            authenticator: authenticator,
            streams: streams, hosts: authenticator.isOpen ? Set(hosts) : nil, publicAuthority: publicAuthority,
            metrics: telemetry.metrics, logger: logger)
        // The client is in no consumer group. It counts as a member so that the process is ready only when the gateway
        // is.
        telemetry.health.expect(members: 1)
        let following = PollLoop(name: "console", client: client, health: telemetry.health, isMember: true) {
            stop, heartbeat in
            var metrics = telemetry.metrics.map(ConsoleMetrics.init)
            var second = EverySecond()
            do {
                while !stop.isRequested {
                    try gateway.step(timeout: .seconds(1))
                    heartbeat.beat(isReady: gateway.isReady)
                    if second.fireIfDue() {
                        metrics?.publish(gateway.load)
                        try telemetry.watch.check(logger)
                    }
                }
            } catch {
                // Requests that wait for Kafka would otherwise wait forever, and the process could not end.
                try? gateway.close(timeout: .seconds(1))
                throw error
            }
            try gateway.close(timeout: .seconds(5))
        }
        let watching = try watching(gateway)
        let monitoring = PollLoop(name: "topics", client: monitorClient, health: telemetry.health) { stop, heartbeat in
            while !stop.isRequested {
                try monitor.measure {
                    heartbeat.beat()
                    return !stop.isRequested
                }
                if stop.isRequested { break }
                _ = try monitorClient.poll(maximum: 1, timeout: TopicMonitor.interval)
            }
            try monitorClient.close(timeout: .seconds(1))
        }
        let http = server.service(address) { port in
            let url = "http://\(ConsoleAddress(host: address.host, port: port))"
            FileHandle.standardOutput.write(Data("{\"console\":\"\(url)\"}\n".utf8))
            logger.notice("the console is at \(url)")
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await following.run() }
            group.addTask { try await monitoring.run() }
            group.addTask { try await watching.run() }
            group.addTask { try await figures.run() }
            group.addTask { try await streams.run() }
            if let keyFile { group.addTask { try await follow(keyFile) } }
            group.addTask { try await monitor.followGroups { gateway.servicesServed } }
            group.addTask { try await http.run() }
            // The first failure cancels the other tasks. `waitForAll` would wait for loops that nothing ends.
            for try await _ in group {}
        }
        try archive.close(timeout: .seconds(1))
    }

    /// Returns the loop that watches what keeps requests from making progress. It has a client of its own, because it
    /// waits for brokers that do not answer.
    private func watching(_ gateway: Gateway) throws -> PollLoop {
        let client = try log.connect(readOnly("intents-console-faults"))
        return PollLoop(name: "faults", client: client, health: telemetry.health) {
            [topics, telemetry] stop, heartbeat in
            let faults = FaultWatch(topics, metrics: telemetry.metrics) { gateway.faultsOfLeases }
            while !stop.isRequested {
                gateway.show(faults.step(client))
                heartbeat.beat()
                _ = try client.poll(maximum: 1, timeout: .seconds(1))
            }
            try client.close(timeout: .seconds(1))
        }
    }

    private func agentRoutes(_ gateway: Gateway, _ time: SteadyClock) -> AgentRoutes {
        let clock = AgentClock(now: { time.now }, sleep: { try await ContinuousClock().sleep(for: $0) })
        var settings = agents
        settings.consoleURL = settings.consoleURL ?? "http://\(address)"
        return AgentRoutes(gateway, clock: clock, settings: settings)
    }

    /// Rereads the key file every 5 seconds. A file that can't be used is logged once, and the current keys stay in
    /// use.
    private func follow(_ keyFile: String) async throws {
        try await cancelWhenGracefulShutdown {
            var refused: Data?
            do {
                while true {
                    try await ContinuousClock().sleep(for: .seconds(5))
                    guard let jwks = FileManager.default.contents(atPath: keyFile), jwks != refused else { continue }
                    do {
                        if try await authenticator.replaceKeys(with: jwks) {
                            logger.notice("the keys of tokens have changed: \(keyFile)")
                        }
                    } catch {
                        refused = jwks
                        logger.error(
                            "\(keyFile) is no JSON Web Key Set in which each key has a 'kid': the keys stay as they were"
                        )
                    }
                }
            } catch is CancellationError {}
        }
    }

    private func readOnly(_ name: String) -> ClientConfiguration {
        var configuration = ClientConfiguration(clientID: name)
        configuration.isReadOnly = true
        return configuration
    }
}

extension ConsoleAddress {
    /// This address, or the same host with another port if something else listens at this one.
    var orAny: ConsoleAddress {
        get async {
            if let bound = await bound(to: port) { return bound }
            return await bound(to: 0) ?? self
        }
    }

    /// Returns this host with a port that can be bound at present: `port`, or any free port if `port` is 0.
    private func bound(to port: Int) async -> ConsoleAddress? {
        let bootstrap = ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup).serverChannelOption(
            .socketOption(.so_reuseaddr), value: 1)
        guard let channel = try? await bootstrap.bind(host: host, port: port).get() else { return nil }
        let bound = channel.localAddress?.port.map { ConsoleAddress(host: host, port: $0) }
        try? await channel.close()
        return bound
    }
}
