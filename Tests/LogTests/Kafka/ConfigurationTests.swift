import RDKafkaLog
import RecordLog
import Testing

@Suite("The configuration of a Kafka log", .tags(.broker))
struct ConfigurationTests {
    @Test("a properties file is read as kcat reads it")
    func propertiesFile() throws {
        let text = """
            # a comment
            bootstrap.servers = broker-1:9092,broker-2:9092

              linger.ms=5\r
            sasl.password=a=b #c
            linger.ms=7
            ssl.key.password=
            """
        let properties = try KafkaConfiguration.properties(parsing: text)
        #expect(
            properties == [
                "bootstrap.servers": "broker-1:9092,broker-2:9092", "linger.ms": "7", "sasl.password": "a=b #c",
                "ssl.key.password": "",
            ])
    }

    @Test("what has a configuration can be logged without its secrets")
    func described() {
        let properties = [
            "sasl.username": "me", "sasl.password": "hunter2", "sasl.oauthbearer.client.secret": "hunter2",
        ]
        let log = KafkaLog(KafkaConfiguration(bootstrapServers: "h:1", properties: properties))
        #expect("\(log.configuration)" == "h:1 sasl.oauthbearer.client.secret=… sasl.password=… sasl.username=me")
        for text in ["\(log)", "\([log])", String(reflecting: log)] { #expect(!text.contains("hunter2"), "\(text)") }
    }

    @Test(
        "secrets are known by their names",
        arguments: [
            ("sasl.password", true), ("ssl.key.password", true), ("ssl.keystore.password", true), ("ssl.key.pem", true),
            ("sasl.oauthbearer.client.secret", true), ("sasl.oauthbearer.assertion.private.key.passphrase", true),
            ("sasl.oauthbearer.assertion.private.key.pem", true), ("sasl.username", false), ("ssl.key.location", false),
            ("ssl.certificate.pem", false), ("ssl.ca.pem", false), ("linger.ms", false),
        ])
    func secrets(name: String, isOne: Bool) { #expect(KafkaConfiguration.isSecret(name) == isOne) }

    @Test("a malformed line is refused with its number", arguments: ["linger.ms", "a=1\nb\nc=1", "=5"])
    func badLine(text: String) {
        let error = #expect(throws: LogError.self) { try KafkaConfiguration.properties(parsing: text) }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains(text.contains("\n") ? "line 2" : "line 1") == true)
    }

    @Test("an argument holds one property")
    func argument() throws {
        #expect(try KafkaConfiguration.property(parsing: "linger.ms=5") == ("linger.ms", "5"))
        #expect(try KafkaConfiguration.property(parsing: "ssl.ca.location= /a=b ") == ("ssl.ca.location", "/a=b"))
        let error = #expect(throws: LogError.self) { try KafkaConfiguration.property(parsing: "linger.ms") }
        #expect(error?.message.contains("name=value") == true)
    }

    @Test(
        "properties that the pipeline sets itself are refused by name",
        arguments: [
            "enable.idempotence", "acks", "partitioner", "group.id", "enable.auto.commit", "enable.auto.offset.store",
            "auto.offset.reset",
            "isolation.level", "partition.assignment.strategy", "transactional.id", "allow.auto.create.topics",
        ])
    func reserved(name: String) {
        let error = #expect(throws: LogError.self) {
            try KafkaLog(KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: [name: "x"]))
                .connect(ClientConfiguration(clientID: "c"))
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.message.contains(name) == true)
    }

    @Test("librdkafka's message about a bad property is passed on")
    func badProperty() {
        func message(_ properties: [String: String]) -> String? {
            let error = #expect(throws: LogError.self) {
                try KafkaConfiguration(bootstrapServers: "127.0.0.1:1", properties: properties).validate()
            }
            #expect(error?.code == .invalidConfiguration)
            return error?.message
        }
        #expect(message(["linger.mss": "5"])?.contains("No such configuration property: \"linger.mss\"") == true)
        #expect(message(["linger.ms": "soon"])?.contains("linger.ms=soon") == true)
        #expect(
            message(["session.timeout.ms": "-1"])?.contains("session.timeout.ms=-1") == true,
            "a consumer's property is checked too")
    }

    @Test("a configuration without a broker is refused")
    func noBroker() throws {
        let error = #expect(throws: LogError.self) { try KafkaConfiguration().validate() }
        #expect(error?.message.contains("bootstrap.servers") == true)
        try KafkaConfiguration(properties: ["bootstrap.servers": "127.0.0.1:1"]).validate()
        try KafkaConfiguration(properties: ["metadata.broker.list": "127.0.0.1:1"]).validate()
    }

    @Test("producer and consumer each get only their own properties")
    func clientKinds() throws {
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
        #expect(
            lines.all.filter { $0.contains("property") } == [], "each kind of handle must get only its own properties")
    }
}
