import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite(
    "Secrets that are planted in a pipeline of processes", .tags(.processes, .slow), .serialized,
    .timeLimit(.minutes(5)),
    .enabled(if: CallbackTools.areThere, "there is no python3 or no openssl"))
struct PlantedSecretsTests {
    /// A service that confirms, handles, refuses, or hands over, depending on the session's name. The service prints
    /// its port, a free port, and the callback URLs that it gets.
    private static let service = """
        import json, os, socket, threading, urllib.request
        from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

        def later(url):
            outcome = {"code": "success", "response": {"later": os.environ["LATER_RESPONSE"]}}
            urllib.request.urlopen(urllib.request.Request(url, json.dumps(outcome).encode())).read()

        class Service(BaseHTTPRequestHandler):
            def log_message(self, *arguments): pass

            def do_POST(self):
                call = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                session, phase = call["session"], call["phase"]
                status, reply = 200, {"code": "ready" if phase == "confirm" else "success"}
                if phase == "confirm" and session == "handed":
                    reply = {"code": "continueInApp", "activity": {"activityType": "pay", "title": "Pay"}}
                elif phase == "handle" and session == "failing":
                    status, reply = 422, {"error": os.environ["SERVICE_ERROR"]}
                elif phase == "handle" and session == "deferred":
                    status, reply = 202, {"code": "inProgress"}
                    print("callback", call["callback"]["url"], flush=True)
                    threading.Thread(target=later, args=[call["callback"]["url"]]).start()
                elif phase == "handle":
                    reply["response"] = {"receipt": os.environ["RESPONSE"]}
                body = json.dumps(reply).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

        server, free = ThreadingHTTPServer(("127.0.0.1", 0), Service), socket.create_server(("127.0.0.1", 0))
        print(server.server_port, free.getsockname()[1], flush=True)
        free.close()
        server.serve_forever()
        """

    private static func definitions(_ port: Substring, apiKey: String) -> String {
        """
        version: 1
        fulfilment:
          url: 'http://127.0.0.1:\(port)'
          phases: [confirm, handle]
          retries: {attempts: 1}
          secret: {env: PLANTED_SIGNATURE_SECRET}
          headers: {X-Api-Key: \(apiKey)}
        intents:
          Pay:
            title: Pay
            parameters:
              pin: {type: string, sensitivity: secret, prompt: 'Your PIN?'}
              digits: {type: int, sensitivity: secret, required: false}
              note: {type: string, required: false}
              town: {type: string, required: false, memory: session}
              seats: {type: int, prompt: 'How many?'}

        """
    }

    @Test(
        "are where the table allows and nowhere else: not in logs, metrics, spans, headers, arguments of processes, results, what the tool shows, or the console without the right role"
    )
    func planted() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "intents-planted-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String, _ text: String) throws -> String {
            let url = folder.appending(path: name)
            try Data(text.utf8).write(to: url)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: url.path)
            return url.path
        }
        var planted = PlantedSecrets()
        func plant(_ name: String, must: Set<PlantedSecrets.Place> = [], may: Set<PlantedSecrets.Place> = []) -> String
        {
            let text = PlantedSecrets.text(name)
            planted.add(name, text, must: must, may: may)
            return text
        }
        let secrets = Speaker.Secrets(plant)
        let (answers, handle) = (PlantedSecrets.Place.values("answers"), PlantedSecrets.Place.values("handle"))
        let pin = plant("a secret value said in the console", must: [answers, handle], may: PlantedSecrets.inner)
        let note = plant(
            "a private value said in the console", must: [answers, handle, .values("results"), .console],
            may: PlantedSecrets.inner.union(PlantedSecrets.shown))
        let sasl = plant("the password of Kafka")
        let apiKey = plant("the API key of a service")
        let environment = [
            "INTENTS_HANDOFF_SECRET": plant("the secret of handoffs"),
            "PLANTED_SIGNATURE_SECRET": plant("the secret of signatures"),
            "SERVICE_ERROR": plant("the error of a service"),
            "RESPONSE": plant(
                "the response of a service", must: [.values("outcomes"), .values("results"), .console],
                may: PlantedSecrets.shown.union([.values("sessions")])),
            "LATER_RESPONSE": plant(
                "the deferred response of a service", must: [.values("outcomes"), .values("results"), .console],
                may: PlantedSecrets.shown.union([.values("sessions")])),
        ]
        let callbackKeys = try file("callback.keys", plant("the key of callbacks") + "\n")
        let kafka = try file("kafka.properties", "sasl.password=\(sasl)\n")
        let service = try ScriptProcess("python3", [try file("service.py", Self.service)], environment: environment)
        defer { service.end() }
        try await eventually("the service listens") { service.output.contains("\n") }
        let ports = service.output.split(whereSeparator: \.isWhitespace)
        _ = try file("pay.intents.yaml", Self.definitions(ports[0], apiKey: apiKey))
        let options = ["--kafka-config", kafka, "--log-level", "trace"]
        let collector = try await Collector()
        defer { collector.end() }
        let told = environment.merging(collector.environment) { $1 }.merging(["INTENTS_TELEMETRY": "127.0.0.1:0"]) {
            $1
        }
        try await RunningPipeline.with(
            options + ["--handlers", "0", "--definitions", folder.path], environment: told
        ) { pipeline in
            let callback = [
                "--callback-url", "http://127.0.0.1:\(ports[1])", "--callback-listen", "127.0.0.1:\(ports[1])",
            ]
            let handler = try RoleProcess(
                "intent-http-worker",
                [
                    "--phase", "handle", "-b", pipeline.servers, "--definitions", folder.path, "--callback-key-file",
                    callbackKeys,
                ] + callback
                    + options,
                environment: told)
            defer { handler.end() }
            let consoles = try await PlantedConsoles(
                ["-b", pipeline.servers] + options, keys: folder.appending(path: "jwks.json").path,
                person: secrets.person,
                environment: told)
            defer { consoles.end() }
            try await consoles.follow()
            let speaker = try await Speaker(pipeline.servers, secrets)
            defer { speaker.close() }
            try await speaker.play()
            try await consoles.pay("spoken", pin: pin, note: note)
            let sessions = ["whole", "asked", "wrong", "failing", "handed", "deferred", "spoken"]
            let offered = Set<PlantedSecrets.Place>([.values("results"), .values("answers")])
            planted.add(
                "the token of a handoff", speaker.token, must: offered,
                may: PlantedSecrets.shown.union([.values("sessions")]))
            let url = try #require(service.output.split(separator: "\n").first { $0.hasPrefix("callback ") }).dropFirst(
                "callback ".count)
            planted.add("the token of a callback", String(url.split(separator: "/").last ?? url))
            try planted.lookInArguments()
            for arguments in [
                ["session", "list"], ["dead-letters", "list"], ["watch", "--from-beginning", "--exit-at-end"],
                ["watch", "--from-beginning", "--exit-at-end", "--output", "json"],
            ] + sessions.map({ ["session", "show", $0] }) {
                let ending = try await pipeline.intents(arguments)
                #expect(ending.status == 0, "\(arguments): \(ending.errors)")
                planted.look(in: (ending.output + ending.errors).utf8, at: .tool)
            }
            try await look(&planted, through: consoles, sessions: sessions, owner: "whole")
            for topic in Topics().all {
                let name = String(topic.dropFirst("intents.".count))
                for record in try await speaker.log.records(topic, partitions: 4) {
                    planted.look(in: record, topic: name)
                }
            }
            let lines = handler.output.split(separator: "\n").compactMap { try? JSONView(parsing: Array($0.utf8)) }
            let own = lines.compactMap { $0["telemetry"]?.string }
            #expect(own.count == 1)
            for address in own + consoles.telemetry + pipeline.telemetry.values {
                for path in ["/metrics", "/livez", "/readyz", "/startupz"] {
                    planted.look(in: try await RunningPipeline.get(path, at: address).body.utf8, at: .telemetry)
                }
            }
            try await eventually("spans of each phase are at the collector") {
                Set(collector.spans.map(\.name)).isSuperset(of: [
                    "Pay", "send intents.answers", "process intents.resolve", "process intents.confirm",
                    "process intents.handle",
                ])
            }
            planted.look(in: collector.output.utf8, at: .telemetry)
            planted.look(in: (pipeline.log + handler.output + handler.errors + consoles.log).utf8, at: .logs)
            #expect(
                pipeline.log.contains("debug") && handler.errors.contains("debug"),
                "nothing was logged that is worth a look")
            #expect(planted.mistakes.isEmpty, "\(planted.mistakes.joined(separator: "\n"))")
        }
    }

    /// Searches the consoles' responses to each reader, both followed events and new requests.
    private func look(
        _ planted: inout PlantedSecrets, through consoles: PlantedConsoles, sessions: [String], owner: String
    ) async throws {
        for (name, session) in [
            ("this machine", "deferred"), ("the person", owner), ("an observer", "deferred"),
            ("an operator", "deferred"),
        ] {
            try await eventually("\(name) is told that '\(session)' is over") {
                consoles.stream(of: name).split(separator: "\n").contains {
                    $0.contains("\"session\":\"\(session)\"") && $0.contains("intent.completed.v1")
                }
            }
        }
        for reader in consoles.readers {
            let stream = consoles.stream(of: reader.name)
            for secret in planted.secrets where reader.place == .maskedConsole && stream.contains(secret.text) {
                Issue.record("\(reader.name) is sent \(secret.name)")
            }
            planted.look(in: stream.utf8, at: reader.place)
            for (path, status, body) in try await consoles.answers(to: reader, sessions: sessions) {
                let mine = path.hasSuffix("/sessions/\(owner)")
                let isPersons = ["the person", "their agent"].contains(reader.name)
                if mine {
                    #expect(
                        status == (["another person", "another agent"].contains(reader.name) ? 404 : 200),
                        "\(reader.name): \(path)")
                }
                if mine, isPersons {
                    #expect(body.contains("planted-"), "\(reader.name) is not shown what is theirs: \(body)")
                }
                for secret in planted.secrets where reader.place == .maskedConsole && body.contains(secret.text) {
                    Issue.record("\(reader.name) is shown \(secret.name) at \(path)")
                }
                planted.look(in: body.utf8, at: reader.place)
            }
        }
    }
}
