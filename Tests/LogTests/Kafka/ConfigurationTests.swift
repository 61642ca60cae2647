import RDKafkaLog
import RecordLog
import Testing

@Suite("The configuration of a Kafka log", .tags(.broker)) struct ConfigurationTests {
    private func configuration(_ properties: [String: String]) -> KafkaConfiguration {
        KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: properties)
    }

    @Test func `a properties file is read as kcat reads it`() throws {
        let text = """
            # a comment
            bootstrap.servers = broker-1:9092,broker-2:9092

              linger.ms=5\r
            sasl.password=a=b #c
            linger.ms=7
            ssl.key.password=
            """
        #expect(
            try KafkaConfiguration.properties(parsing: text) == [
                "bootstrap.servers": "broker-1:9092,broker-2:9092", "linger.ms": "7", "sasl.password": "a=b #c",
                "ssl.key.password": "",
            ])
    }

    @Test func `a configuration is logged without its secrets`() {
        let values = ["sasl.username": "me", "sasl.password": "hunter2", "sasl.oauthbearer.client.secret": "hunter2"]
        let log = KafkaLog(KafkaConfiguration(bootstrapServers: "h:1", properties: values))
        #expect("\(log.configuration)" == "h:1 sasl.oauthbearer.client.secret=… sasl.password=… sasl.username=me")
        for text in ["\(log)", "\([log])", String(reflecting: log)] { #expect(!text.contains("hunter2"), "\(text)") }
    }

    @Test func `secrets are known by their names`() {
        let secrets = """
            sasl.password ssl.key.password ssl.keystore.password ssl.key.pem sasl.oauthbearer.client.secret \
            sasl.oauthbearer.assertion.private.key.passphrase sasl.oauthbearer.assertion.private.key.pem
            """.split(separator: " ").map(String.init)
        let others = ["sasl.username", "ssl.key.location", "ssl.certificate.pem", "ssl.ca.pem", "linger.ms"]
        #expect((secrets + others).filter(KafkaConfiguration.isSecret) == secrets)
    }

    @Test(arguments: ["linger.ms", "a=1\nb\nc=1", "=5"])
    func `a malformed line is refused with its number`(text: String) throws {
        let error = try #require(throws: LogError.self) { try KafkaConfiguration.properties(parsing: text) }
        #expect(error.code == .invalidConfiguration)
        #expect(error.message.contains(text.contains("\n") ? "line 2" : "line 1"))
    }

    @Test func `an argument holds one property`() throws {
        #expect(try KafkaConfiguration.property(parsing: "linger.ms=5") == ("linger.ms", "5"))
        #expect(try KafkaConfiguration.property(parsing: "ssl.ca.location= /a=b ") == ("ssl.ca.location", "/a=b"))
        let error = #expect(throws: LogError.self) { try KafkaConfiguration.property(parsing: "linger.ms") }
        #expect(error?.message.contains("name=value") == true)
    }

    @Test(arguments: [
        "enable.idempotence", "acks", "partitioner", "group.id", "enable.auto.commit", "enable.auto.offset.store",
        "auto.offset.reset", "isolation.level", "partition.assignment.strategy", "transactional.id",
        "allow.auto.create.topics",
    ])
    func `properties that the pipeline sets itself are refused by name`(name: String) throws {
        let error = try #require(throws: LogError.self) {
            try KafkaLog(configuration([name: "x"])).connect(ClientConfiguration(clientID: "c"))
        }
        #expect(error.code == .invalidConfiguration && error.message.contains(name))
    }

    @Test(arguments: [
        ("linger.mss", "5", "No such configuration property: \"linger.mss\""),
        ("linger.ms", "soon", "linger.ms=soon"), ("session.timeout.ms", "-1", "session.timeout.ms=-1"),
    ])
    func `librdkafka's error for a bad property is passed on`(name: String, value: String, message: String) throws {
        let error = try #require(throws: LogError.self) { try configuration([name: value]).validate() }
        #expect(error.code == .invalidConfiguration && error.message.contains(message))
    }

    @Test func `a configuration without a broker is refused`() throws {
        let error = #expect(throws: LogError.self) { try KafkaConfiguration().validate() }
        #expect(error?.message.contains("bootstrap.servers") == true)
        try KafkaConfiguration(properties: ["bootstrap.servers": "127.0.0.1:1"]).validate()
        try KafkaConfiguration(properties: ["metadata.broker.list": "127.0.0.1:1"]).validate()
    }

    @Test func `producer and consumer each get only their own properties`() throws {
        let lines = Lines()
        let properties = [
            "linger.ms": "3", "fetch.min.bytes": "1", "socket.keepalive.enable": "true", "ssl.ca.location": "none",
        ]
        let configuration = KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: properties) { _, _, line in
            lines.append(line)
        }
        let client = try KafkaLog(configuration).connect(ClientConfiguration(clientID: "c", group: ("g", ["t"])))
        _ = try client.poll(maximum: 1, timeout: .milliseconds(50))
        try client.close(timeout: .seconds(5))
        #expect(lines.all.filter { $0.contains("property") } == [])
    }
}

@Suite("The version of librdkafka", .tags(.broker)) struct VersionTests {
    @Test func `supported versions are accepted, and the installed one is supported`() throws {
        for number: Int32 in [0x0200_02ff, 0x0201_01ff, 0x0203_00ff, 0x020c_00ff, 0x0300_00ff] {
            try RDKafkaVersion(number: number).check()
        }
        try RDKafkaVersion.current.check()
    }

    @Test(
        arguments: [
            (0x0201_00ff, "2.1.0"), (0x0201_0001, "2.1.0"), (0x0200_01ff, "2.0.1"), (0x0108_02ff, "1.8.2"),
            (0x0009_05ff, "0.9.5"),
        ] as [(Int32, String)])
    func `unsupported versions are refused by name, with the version to install`(number: Int32, name: String) throws {
        let error = try #require(throws: LogError.self) { try RDKafkaVersion(number: number).check() }
        #expect(error.code == .unsupported && error.disposition == .fatal)
        #expect(error.message.contains("librdkafka \(name) is installed") && error.message.contains("2.1.1"))
    }
}

@Suite("A wait for Kafka") struct KafkaWaitTests {
    @Test func `is reported before it ends, if no broker answers`() async throws {
        let lines = Lines()
        let configuration = KafkaConfiguration(
            bootstrapServers: "127.0.0.1:1", requestTimeout: .seconds(3),
            logHandler: { _, facility, message in lines.append("\(facility) \(message)") })
        await #expect(throws: LogError.self) { try await KafkaLog(configuration).topics() }
        #expect(lines.all.contains("WAIT 127.0.0.1:1 has not answered yet; the wait ends in 2 s"))
    }
}
