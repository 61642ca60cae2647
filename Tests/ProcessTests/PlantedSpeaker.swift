import Conversation
import Foundation
import IntentEvents
import IntentModel
import RecordLog

extension PlantedSecretsTests {
    /// The person's side, which sends secrets in each way that a person, an app or a sender of garbage can.
    final class Speaker {
        struct Secrets {
            let value, correction, answer, wrong, note, town, attribute, person, claim, otherClaim, rejected, garbage,
                badOutcome,
                badWork: String

            init(
                _ plant: (_ name: String, _ must: Set<PlantedSecrets.Place>, _ may: Set<PlantedSecrets.Place>) -> String
            ) {
                let inner = PlantedSecrets.inner
                let requests = PlantedSecrets.Place.values("requests")
                let answers = PlantedSecrets.Place.values("answers")
                value = plant("a secret value", [requests, .values("resolve"), .values("sessions")], inner)
                correction = plant("a correction of a secret value", [answers, .values("handle")], inner)
                answer = plant("an answer to a secret prompt", [answers, .values("handle")], inner)
                wrong = plant("a secret value of a wrong type", [requests, .values("resolve")], inner)
                note = plant(
                    "a private value", [requests, .values("handle"), .values("results"), .console],
                    inner.union(PlantedSecrets.shown))
                town = plant(
                    "a remembered value", [requests, .values("handle"), .values("results")],
                    inner.union(PlantedSecrets.shown))
                attribute = plant("an attribute", [requests, .values("handle")], inner.union(PlantedSecrets.shown))
                person = plant(
                    "the id of a person",
                    [.headers("requests"), .headers("answers"), .values("handle"), .values("results")],
                    inner.union(PlantedSecrets.shown))
                claim = plant("the secret of a claim", [answers], [])
                otherClaim = plant("the secret of a claim that is refused", [answers], [])
                rejected = plant("the value of an answer that is rejected", [answers], [])
                garbage = plant(
                    "an unreadable event", [requests, answers, .values("dead-letters")], PlantedSecrets.shown)
                badOutcome = plant(
                    "an unreadable outcome", [.values("outcomes"), .values("dead-letters")], PlantedSecrets.shown)
                badWork = plant("unreadable work", [.values("handle"), .values("dead-letters")], PlantedSecrets.shown)
            }
        }

        let log: RawLog
        private(set) var token = ""
        private let secrets: Secrets
        private let topics = Topics()
        private var count = 0

        init(_ servers: String, _ secrets: Secrets) async throws {
            log = try RawLog(servers)
            self.secrets = secrets
        }

        func close() { log.close() }

        func play() async throws {
            try await whole()
            try await asked()
            try await wrong()
            try await failing()
            try await handed()
            try await deferred()
            try await garbage()
        }

        /// Corrects a secret value before the rest is answered, in the name of a person.
        private func whole() async throws {
            let principal = [RecordHeader("ce_authtype", "app_user"), RecordHeader("ce_authid", secrets.person)]
            try await request(
                "whole",
                #"{"pin":"\#(secrets.value)","note":"\#(secrets.note)","town":"\#(secrets.town)"}"#, principal,
                more: #","attributes":{"a":"\#(secrets.attribute)"}"#)
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
            let completion =
                #"{"handoff":"\#(handoff)","claimant":"phone","code":"success","secret":"\#(secrets.claim)"}"#
            try await say("handed", "handoff.completed.v1", completion)
            try await completed("handed", "success")
        }

        private func deferred() async throws {
            try await request("deferred", #"{"pin":"\#(secrets.value)","seats":2}"#)
            try await completed("deferred", "success")
        }

        private func garbage() async throws {
            try await say(
                "rejected", "prompt.answered.v1",
                #"{"prompt":"none.1","action":"accept","value":"\#(secrets.rejected)"}"#)
            _ = try await result("rejected") { $0.type == .rejected }
            try await say("rejected", "prompt.answered.v1", #"{"prompt":"none.1","action":"\#(secrets.rejected)"}"#)
            for (topic, text) in [
                (topics.requests, secrets.garbage), (topics.answers, secrets.garbage),
                (topics.outcomes, secrets.badOutcome),
                (topics.handle, secrets.badWork),
            ] {
                try await write(topic, "garbage", "intent.handle.v1", #"{"pin":"\#(text)""#, [])
            }
            for _ in 0..<100 where try await log.records(topics.deadLetters, partitions: 4).count < 4 {}
        }

        // MARK: Writing and reading

        private func request(_ session: String, _ parameters: String, _ headers: [RecordHeader] = [], more: String = "")
            async throws
        {
            try await write(
                topics.requests, session, "intent.requested.v1",
                #"{"intent":"Pay","parameters":\#(parameters)\#(more)}"#, headers)
        }

        private func say(_ session: String, _ type: String, _ value: String, _ headers: [RecordHeader] = [])
            async throws
        {
            try await write(topics.answers, session, type, value, headers)
        }

        private func answer(_ prompt: ReceivedResult, _ value: String, _ headers: [RecordHeader] = []) async throws {
            let text = #"{"prompt":"\#(prompt.prompt ?? "")","action":"accept","value":\#(value)}"#
            try await say(prompt.session?.text ?? "", "prompt.answered.v1", text, headers)
        }

        private func write(
            _ topic: String, _ session: String, _ type: String, _ value: String, _ headers: [RecordHeader]
        ) async throws {
            count += 1
            let own = [RecordHeader("ce_type", type), RecordHeader("ce_id", "event-\(count)")]
            _ = try await log.write(
                Record(topic: topic, key: Bytes(session.utf8), value: Bytes(value.utf8), headers: own + headers))
        }

        private func completed(_ session: String, _ status: String) async throws {
            let completion = try await result(session) { $0.type == .completed }
            guard completion.data["status"]?.string == status else {
                throw TimedOut(description: "\(session) has ended otherwise: \(completion.data.json)")
            }
        }

        /// Waits for a result of a session.
        private func result(_ session: String, _ isMeant: (ReceivedResult) -> Bool) async throws -> ReceivedResult {
            let deadline = ContinuousClock.now.advanced(by: .seconds(40))
            var all: [ReceivedResult] = []
            while ContinuousClock.now < deadline {
                all = try await log.records(topics.results, partitions: 4).compactMap { try? ReceivedResult($0) }
                    .filter { $0.session == Identifier(session) }
                if let found = all.first(where: isMeant) { return found }
            }
            throw TimedOut(
                description: "no such result of \(session): \(all.map { "\($0.type.rawValue) \($0.data.json)" })")
        }
    }
}
