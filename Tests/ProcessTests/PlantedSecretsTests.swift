import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog
import Testing

@Suite("Secrets that are planted", .tags(.processes, .slow), .serialized, .timeLimit(.minutes(10)), Python.needed)
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

    @Test func `each planted secret appears where the table allows it, and nowhere else`() async throws {
        let folder = Scratch()
        var planted = PlantedSecrets()
        typealias Places = Set<PlantedSecrets.Place>
        func plant(_ name: String, must: Places = [], may: Places = []) -> String {
            let text = PlantedSecrets.text(name)
            planted.add(name, text, must: must, may: may)
            return text
        }
        let secrets = Speaker.Secrets(plant)
        let shown = PlantedSecrets.shown
        let told: Places = [.values("outcomes"), .values("results"), .console]
        let said: Places = [.values("answers"), .values("handle")]
        let pin = plant("a secret value said in the console", must: said, may: PlantedSecrets.inner)
        let note = plant(
            "a private value said in the console", must: said.union([.values("results"), .console]),
            may: PlantedSecrets.inner.union(shown))
        let sasl = plant("the password of Kafka")
        let apiKey = plant("the API key of a service")
        let mayTell = shown.union([.values("sessions")])
        let settings = [
            "INTENTS_HANDOFF_SECRET": plant("the secret of handoffs"),
            "PLANTED_SIGNATURE_SECRET": plant("the secret of signatures"),
            "SERVICE_ERROR": plant("the error of a service"),
            "RESPONSE": plant("the response of a service", must: told, may: mayTell),
            "LATER_RESPONSE": plant("the deferred response of a service", must: told, may: mayTell),
        ]
        let callbackKeys = try folder.file("callback.keys", plant("the key of callbacks") + "\n")
        let kafka = try folder.file("kafka.properties", "sasl.password=\(sasl)\n")
        let service = try RunningProgram("python3", [folder.file("service.py", Self.service)], environment: settings)
        defer { service.end() }
        try await eventually("the service listens") { service.output.contains("\n") }
        let ports = service.output.split(whereSeparator: \.isWhitespace)
        try folder.file("pay.intents.yaml", Self.definitions(ports[0], apiKey: apiKey))
        let options = "--kafka-config \(kafka) --log-level trace"
        let definitions = "--definitions \(folder.path)"
        let collector = try await Collector()
        defer { collector.end() }
        let environment = settings.merging(collector.environment) { $1 }
            .merging(["INTENTS_TELEMETRY": "127.0.0.1:0"]) { $1 }
        try await RunningPipeline.with("\(options) --handlers 0 \(definitions)", environment: environment) { pipeline in
            let callback = "--callback-url http://127.0.0.1:\(ports[1]) --callback-listen 127.0.0.1:\(ports[1])"
            let connection = "-b \(pipeline.servers) \(options)"
            let handler = try RunningProgram(
                """
                intent-http-worker --phase handle \(definitions) --callback-key-file \(callbackKeys) \(callback) \
                \(connection)
                """, environment: environment, stopsWithInput: true)
            defer { handler.end() }
            let consoles = try await PlantedConsoles(
                connection, keys: folder.path("jwks.json"), person: secrets.person, environment: environment)
            defer { consoles.end() }
            try await consoles.follow()
            let speaker = try Speaker(pipeline.servers, secrets)
            defer { speaker.log.close() }
            try await speaker.play()
            try await consoles.pay("spoken", pin: pin, note: note)
            let sessions = ["whole", "asked", "wrong", "failing", "handed", "deferred", "spoken"]
            planted.add(
                "the token of a handoff", speaker.token, must: [.values("results"), .values("answers")], may: mayTell)
            let url = try #require(service.output.split(separator: "\n").first { $0.hasPrefix("callback ") })
            planted.add("the token of a callback", String(url.split(separator: "/").last ?? url))
            try planted.lookInArguments()
            let watch = "watch --from-beginning --exit-at-end"
            for command in ["session list", "dead-letters list", watch, "\(watch) --output json"]
                + sessions.map({ "session show \($0)" })
            { planted.look(in: try await pipeline.intents(command).all.utf8, at: .tool) }
            try await look(&planted, consoles, sessions: sessions)
            for topic in Topics().all {
                let name = String(topic.dropFirst("intents.".count))
                for record in try await speaker.log.records(topic) { planted.look(in: record, topic: name) }
            }
            let own = try #require(handler.value("telemetry"))
            for address in [own] + consoles.telemetry + pipeline.telemetry.values {
                for path in ["/metrics", "/livez", "/readyz", "/startupz"] {
                    planted.look(in: try await RunningPipeline.get(path, at: address).body.utf8, at: .telemetry)
                }
            }
            try await eventually("spans of each phase are at the collector") {
                let phases = ["resolve", "confirm", "handle"].map { "process intents.\($0)" }
                return Set(collector.spans.map(\.name)).isSuperset(of: ["Pay", "send intents.answers"] + phases)
            }
            planted.look(in: collector.output.utf8, at: .telemetry)
            planted.look(in: (pipeline.log + handler.output + handler.errors + consoles.log).utf8, at: .logs)
            #expect(pipeline.log.contains("debug") && handler.errors.contains("debug"), "nothing was logged")
            #expect(planted.mistakes.isEmpty, "\(planted.mistakes.joined(separator: "\n"))")
        }
    }

    /// Searches the consoles' responses to each reader, both followed events and new requests.
    private func look(_ planted: inout PlantedSecrets, _ consoles: PlantedConsoles, sessions: [String]) async throws {
        let owner = "whole"
        for name in ["this machine", "the person", "an observer", "an operator"] {
            let session = name == "the person" ? owner : "deferred"
            try await eventually("\(name) is told that '\(session)' is over") {
                consoles.stream(of: name).split(separator: "\n").contains {
                    $0.contains("\"session\":\"\(session)\"") && $0.contains("intent.completed.v1")
                }
            }
        }
        for reader in consoles.readers {
            let stream = (path: "the stream of events", status: 200, body: consoles.stream(of: reader.name))
            for (path, status, body) in try await [stream] + consoles.answers(to: reader, sessions: sessions) {
                if path.hasSuffix("/sessions/\(owner)") {
                    let isHidden = ["another person", "another agent"].contains(reader.name)
                    #expect(status == (isHidden ? 404 : 200), "\(reader.name): \(path)")
                    let isTheirs = ["the person", "their agent"].contains(reader.name)
                    #expect(!isTheirs || body.contains("planted-"), "\(reader.name) is not shown their own: \(body)")
                }
                for secret in planted.secrets where reader.place == .maskedConsole && body.contains(secret.text) {
                    Issue.record("\(reader.name) is shown \(secret.name) at \(path)")
                }
                planted.look(in: body.utf8, at: reader.place)
            }
        }
    }
}

extension PlantedSecretsTests {
    /// The person's side, which sends secrets in each way that a person, an app or a sender of garbage can.
    final class Speaker {
        struct Secrets {
            let value, correction, answer, wrong, note, town, attribute, person, claim, otherClaim, rejected: String
            let garbage, badOutcome, badWork: String

            init(_ plant: (String, _ must: Set<PlantedSecrets.Place>, _ may: Set<PlantedSecrets.Place>) -> String) {
                let (inner, shown) = (PlantedSecrets.inner, PlantedSecrets.shown)
                let both = inner.union(shown)
                let requests = PlantedSecrets.Place.values("requests")
                let answers = PlantedSecrets.Place.values("answers")
                let handle = PlantedSecrets.Place.values("handle")
                let results = PlantedSecrets.Place.values("results")
                let letters = PlantedSecrets.Place.values("dead-letters")
                value = plant("a secret value", [requests, .values("resolve"), .values("sessions")], inner)
                correction = plant("a correction of a secret value", [answers, handle], inner)
                answer = plant("an answer to a secret prompt", [answers, handle], inner)
                wrong = plant("a secret value of a wrong type", [requests, .values("resolve")], inner)
                note = plant("a private value", [requests, handle, results, .console], both)
                town = plant("a remembered value", [requests, handle, results], both)
                attribute = plant("an attribute", [requests, handle], both)
                person = plant(
                    "the id of a person", [.headers("requests"), .headers("answers"), handle, results], both)
                claim = plant("the secret of a claim", [answers], [])
                otherClaim = plant("the secret of a claim that is refused", [answers], [])
                rejected = plant("the value of an answer that is rejected", [answers], [])
                garbage = plant("an unreadable event", [requests, answers, letters], shown)
                badOutcome = plant("an unreadable outcome", [.values("outcomes"), letters], shown)
                badWork = plant("unreadable work", [handle, letters], shown)
            }
        }

        let log: RawLog
        private(set) var token = ""
        private let secrets: Secrets
        private let topics = Topics()
        private var count = 0

        init(_ servers: String, _ secrets: Secrets) throws { (log, self.secrets) = (try RawLog(servers), secrets) }

        func play() async throws {
            for part in [whole, asked, wrong, failing, handed, deferred, garbage] { try await part() }
        }

        /// Corrects a secret value before the rest is answered, in the name of a person.
        private func whole() async throws {
            let principal = [RecordHeader("ce_authtype", "app_user"), RecordHeader("ce_authid", secrets.person)]
            let values = #"{"pin":"\#(secrets.value)","note":"\#(secrets.note)","town":"\#(secrets.town)"}"#
            try await request("whole", values, principal, more: #","attributes":{"a":"\#(secrets.attribute)"}"#)
            let prompt = try await result("whole") {
                $0.promptKind == .value && $0.data["parameter"]?.string == "seats"
            }
            try await say(
                "whole", "parameter.corrected.v1", #"{"parameter":"pin","value":"\#(secrets.correction)"}"#, principal)
            let again = try await result("whole") { $0.promptKind == .value && $0.prompt != prompt.prompt }
            try await answer(again, "2", principal)
            try await completed("whole", "success")
        }

        private func asked() async throws {
            try await request("asked", #"{"seats":2}"#)
            let prompt = try await result("asked") { $0.promptKind == .value && $0.data["secret"]?.bool == true }
            try await answer(prompt, "\"\(secrets.answer)\"")
            try await completed("asked", "success")
        }

        private func wrong() async throws {
            try await request("wrong", #"{"pin":"1","seats":2,"digits":"\#(secrets.wrong)"}"#)
            _ = try await result("wrong") { $0.promptKind != nil && $0.data["parameter"]?.string == "digits" }
            try await say("wrong", "intent.cancelled.v1", "{}")
            try await completed("wrong", "cancelled")
        }

        private func failing() async throws {
            try await request("failing", #"{"pin":"\#(secrets.value)","seats":2}"#)
            try await completed("failing", "failure")
        }

        private func handed() async throws {
            try await request("handed", #"{"pin":"\#(secrets.value)","note":"\#(secrets.note)","seats":2}"#)
            let offer = try await result("handed") { $0.type == .handoffOffered }
            token = offer.data["token"]?.string ?? ""
            let handoff = offer.offeredHandoff ?? ""
            func claim(_ secret: String) -> String {
                #"{"handoff":"\#(handoff)","claimant":"phone","token":"\#(token)","secret":"\#(secret)"}"#
            }
            try await say("handed", "handoff.claimed.v1", claim(secrets.claim))
            _ = try await result("handed") { $0.type == .handoffClaimed }
            try await say("handed", "handoff.claimed.v1", claim(secrets.otherClaim))
            _ = try await result("handed") { $0.type == .rejected }
            let claimed = #""handoff":"\#(handoff)","claimant":"phone","secret":"\#(secrets.claim)""#
            try await say("handed", "handoff.completed.v1", #"{\#(claimed),"code":"success"}"#)
            try await completed("handed", "success")
        }

        private func deferred() async throws {
            try await request("deferred", #"{"pin":"\#(secrets.value)","seats":2}"#)
            try await completed("deferred", "success")
        }

        private func garbage() async throws {
            let answer = #"{"prompt":"none.1","action":"accept","value":"\#(secrets.rejected)"}"#
            try await say("rejected", "prompt.answered.v1", answer)
            _ = try await result("rejected") { $0.type == .rejected }
            try await say("rejected", "prompt.answered.v1", #"{"prompt":"none.1","action":"\#(secrets.rejected)"}"#)
            for (topic, text) in [
                (topics.requests, secrets.garbage), (topics.answers, secrets.garbage),
                (topics.outcomes, secrets.badOutcome), (topics.handle, secrets.badWork),
            ] { try await write(topic, "garbage", "intent.handle.v1", #"{"pin":"\#(text)""#, []) }
            try await eventually("they are dead letters") { try await log.records(topics.deadLetters).count >= 4 }
        }

        // MARK: Writing and reading

        typealias Headers = [RecordHeader]

        func request(_ session: String, _ values: String, _ headers: Headers = [], more: String = "") async throws {
            let value = #"{"intent":"Pay","parameters":\#(values)\#(more)}"#
            try await write(topics.requests, session, "intent.requested.v1", value, headers)
        }

        private func say(_ session: String, _ type: String, _ value: String, _ headers: Headers = []) async throws {
            try await write(topics.answers, session, type, value, headers)
        }

        private func answer(_ prompt: ReceivedResult, _ value: String, _ headers: [RecordHeader] = []) async throws {
            let text = #"{"prompt":"\#(prompt.prompt ?? "")","action":"accept","value":\#(value)}"#
            try await say(prompt.session?.text ?? "", "prompt.answered.v1", text, headers)
        }

        func write(_ topic: String, _ key: String, _ type: String, _ value: String, _ more: Headers) async throws {
            count += 1
            let headers = [RecordHeader("ce_type", type), RecordHeader("ce_id", "event-\(count)")] + more
            let record = Record(topic: topic, key: Bytes(key.utf8), value: Bytes(value.utf8), headers: headers)
            _ = try await log.write(record)
        }

        private func completed(_ session: String, _ status: String) async throws {
            let completion = try await result(session) { $0.type == .completed }
            guard completion.data["status"]?.string == status else {
                throw TimedOut(description: "\(session) has ended otherwise: \(completion.data.json)")
            }
        }

        private func result(_ session: String, _ isMeant: (ReceivedResult) -> Bool) async throws -> ReceivedResult {
            try await found("such a result of \(session)", within: 40) {
                try await log.records(topics.results).compactMap { try? ReceivedResult($0) }
                    .first { $0.session == Identifier(session) && isMeant($0) }
            }
        }
    }
}
