import Conversation
import Foundation
import IntentEvents
import IntentModel
import MessageAuthentication
import Pipeline
import PipelineTestKit
import RecordLog
import Synchronization
import Testing

@testable import HTTPFulfilment

@Suite("A service with a deferred outcome") struct DeferredOutcomeTests {
    private func deliver() async throws -> Courier {
        let courier = try await Courier()
        var talk = TestConversation(courier.pipeline)
        try await talk.request("Deliver")
        return courier
    }

    @Test func `is in progress after its first reply, and no worker waits for it`() async throws {
        let courier = try await deliver()
        #expect(try courier.lines() == ["intent.progressed.v1 inProgress On its way"])
        #expect(courier.pipeline.workers.values.allSatisfy { $0.runningHandlers == 0 })
    }

    @Test func `completes the request with its deferred outcome, once`() async throws {
        let courier = try await deliver()
        let outcome = #"{"code":"success","dialog":"Delivered","response":{"by":"bike"}}"#
        try await courier.answer(outcome)
        #expect(try courier.pipeline.results().last?.data["response"]?["by"]?.string == "bike")
        for late in [outcome, #"{"code":"failure"}"#] { try await courier.answer(late) }
        let lines = ["intent.progressed.v1 inProgress On its way", "intent.completed.v1 success success Delivered"]
        #expect(try courier.lines() == lines)
    }

    @Test func `can fail later`() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"failureNobodyHome","dialog":"Nobody was at home"}"#)
        #expect(try courier.lines().last == "intent.completed.v1 failure failureNobodyHome Nobody was at home")
    }

    @Test func `can report progress, and each report extends its time`() async throws {
        let courier = try await deliver()
        try await courier.pipeline.advance(by: .seconds(10 * 60))
        try await courier.answer(#"{"code":"inProgress","fraction":0.5,"dialog":"Half way"}"#)
        try await courier.pipeline.advance(by: .seconds(10 * 60))
        try await courier.answer(#"{"code":"inProgress","fraction":0.75}"#)
        try await courier.answer(#"{"code":"success"}"#)
        let reports = ["inProgress Half way 0.5", "inProgress 0.75"].map { "intent.progressed.v1 \($0)" }
        #expect(try courier.lines().dropFirst() == reports + ["intent.completed.v1 success success"])
    }

    @Test func `a success after the time of the policy is reported as a late outcome`() async throws {
        let courier = try await deliver()
        let token = courier.token()
        try await courier.pipeline.advance(by: .seconds(15 * 60 + 1))
        #expect(try courier.lines().last?.hasPrefix("intent.completed.v1 timedOut") == true)
        try await courier.answer(#"{"code":"success","dialog":"Delivered"}"#, token: token)
        #expect(try courier.lines().last == "intent.answeredLate.v1 success Delivered")
    }

    @Test func `has its outcome written to the partition of the work, with a unique id`() async throws {
        let courier = try await deliver()
        try await courier.answer(#"{"code":"success"}"#)
        let outcomes = courier.outcomes
        #expect(outcomes.last?.partition == outcomes.first?.partition)
        let ids = outcomes.compactMap { $0.headers.first { $0.name == "ce_id" }?.text }
        #expect(Set(ids).count == outcomes.count && ids.last?.hasSuffix(".outcome.later") == true)
    }

    @Test(arguments: [
        ("{", RejectionReason.unparseable), (#"{"dialog":"?"}"#, .invalid), (#"{"code":"ready"}"#, .unexpected),
        (#"{"code":"inProgress","fraction":2}"#, .invalid), (#"{"code":"success","response":[]}"#, .invalid),
        (#"{"code":"success","validFor":"long"}"#, .invalid),
        (#"{"code":"success","opens":{"intent":"Pay"}}"#, .unauthorized),
        (#"{"code":"inProgress","opens":{"intent":"Pay"}}"#, .unauthorized),
    ])
    func `gets the reason for an invalid outcome`(_ body: String, _ reason: RejectionReason) async throws {
        let courier = try await deliver()
        let problem = await #expect(throws: CallbackProblem.self) { try await courier.answer(body) }
        #expect(try problem?.reason == reason && problem?.status == .badRequest && courier.lines().count == 1)
    }

    @Test func `a worker that does not serve the intent asks to post again, and names no other worker`() async throws {
        let courier = try await deliver()
        let token = courier.madeUpToken(intent: "Elsewhere")
        let problem = await #expect(throws: CallbackProblem.self) {
            try await courier.answer(#"{"code":"success"}"#, token: token)
        }
        #expect(problem?.status == .unavailable && problem?.message.contains("10.1.2.3") == false)
    }

    @Test func `can be for an intent of any name and language, in a worker or in the app`() throws {
        for text in [
            Courier.replyTo(), Courier.replyTo(intent: "Deliver.2"), #"["é\"","r/1",0,0,null,"A",true,"en-GB"]"#,
            #"["me","r1",4,2,"000102030405060708090a0b0c0d0e0f","A",false,null]"#,
        ] { #expect(DeferredOutcomeAddress(text)?.description == text) }
        for text in [
            "", "[]", #"["me","r1",4,2]"#, #"["me","r1",-1,2,null,"A",true,null]"#, #"["me","r1",4,2,null,"A",1,null]"#,
        ] { #expect(DeferredOutcomeAddress(text) == nil, "\(text)") }
    }
}

/// A pipeline with one handler, which leaves its work to a courier with a deferred outcome.
final class Courier {
    let pipeline: TestPipeline
    let tokens: CallbackTokens
    let writer: AcknowledgedWriter
    let answers: DeferredOutcomes
    private let calls = Recorder<String>()

    init(started: Bool = true) async throws {
        let calls = calls
        pipeline = try await TestPipeline { invocation, _ in
            switch invocation.phase {
            case .resolve: return .resolved([])
            case .confirm: return .responded(IntentResponse(.ready))
            case .handle:
                calls.record(invocation.context.replyTo)
                return .responded(IntentResponse(.inProgress, dialog: "On its way"))
            }
        }
        if started { try pipeline.startAll() }
        tokens = CallbackTokens(
            keys: try CallbackKeys([Array("a key of sixteen bytes".utf8)]), base: "https://intents.example.com/")
        writer = AcknowledgedWriter(client: try pipeline.log.connect(ClientConfiguration(clientID: "callback")))
        let clock = pipeline.clock
        answers = DeferredOutcomes(tokens: tokens, topics: pipeline.topics, writer: writer, clock: { clock.now }) {
            call, response throws(IntentFailure) in
            // The rule of this declaration. Tests of declarations cover the rules of all declarations.
            if response.opensIntent != nil {
                throw IntentFailure(.failure(.failure), reason: .unauthorized, message: "opens nothing", field: "opens")
            }
            if call.intent == "Elsewhere" {
                throw IntentFailure(.reject, reason: .unsupported, message: "10.1.2.3 serves it")
            }
            return .responded(response)
        }
    }

    /// The `replyTo` of a call: the place for the outcome of the call.
    static func replyTo(session: String = "me", partition: Int = 1, intent: String = "Deliver") -> String {
        #"["\#(session)","r1",4,\#(partition),null,"\#(intent)",false,null]"#
    }

    /// The token of the handler's last call.
    func token() -> String { tokens.token(for: calls.all.last ?? "", now: pipeline.clock.now) }

    /// A token of a call that the pipeline has not made.
    func madeUpToken(intent: String = "Deliver", age: Duration = .zero) -> String {
        tokens.token(for: Self.replyTo(intent: intent), now: pipeline.clock.now.advanced(by: .zero - age))
    }

    /// The outcomes in the log.
    var outcomes: [ConsumedRecord] { pipeline.log.records(in: pipeline.topics.outcomes) }

    /// Posts an outcome, and runs the pipeline until it is idle.
    func answer(_ body: String, token: String? = nil) async throws {
        let token = token ?? self.token()
        let isDone = Atomic<Bool>(false)
        let answers = answers
        async let taken: Void = {
            defer { isDone.store(true, ordering: .releasing) }
            try await answers.accept(Array(body.utf8), for: try answers.call(of: token))
        }()
        while !isDone.load(ordering: .acquiring) {
            try writer.step(timeout: .zero)
            await Task.yield()
        }
        try await taken
        try await pipeline.settle()
    }

    /// The person's results, each as one line.
    func lines() throws -> [String] {
        try pipeline.results().map { result in
            let data = result.data
            let words = ["status", "code", "dialog"].compactMap { data[$0]?.string }
            return ([result.type.rawValue] + words + (data["fraction"]?.double.map { ["\($0)"] } ?? [])).joined(
                separator: " ")
        }
    }
}

@Suite("Callback URLs") struct CallbackTokenTests {
    private let start = Instant(milliseconds: 1_700_000_000_000)
    private let replyTo = Courier.replyTo(partition: 2)
    private static let key = "a key of sixteen bytes"

    private func tokens(_ keys: String...) throws -> CallbackTokens {
        let keys = try CallbackKeys(keys.map { Array($0.utf8) })
        return CallbackTokens(keys: keys, base: "https://a.example/", lifetime: .seconds(60))
    }

    @Test func `a URL identifies its call, in every process with the key`() throws {
        let url = try tokens(Self.key).url(for: replyTo, now: start)
        let base = "https://a.example/v1/answers/"
        #expect(url.hasPrefix(base))
        let answer = try tokens(Self.key).read(String(url.dropFirst(base.count)), now: start)
        #expect(answer.session == "me" && answer.request == "r1" && answer.step == 4 && answer.partition == 2)
    }

    @Test func `a URL reveals nothing about its call, even compared with another URL`() throws {
        let tokens = try tokens(Self.key)
        let secret = #"["the-session","the-request",4,2,"000102030405060708090a0b0c0d0e0f","TheIntent",false,null]"#
        let token = tokens.token(for: secret, now: start)
        let bytes = try #require(Base64URL.decode(token[...]))
        for word in ["the-session", "the-request", "000102030405060708090a0b0c0d0e0f", "TheIntent"] {
            #expect(!token.contains(word) && !String(decoding: bytes, as: UTF8.self).contains(word))
        }
        #expect(!token.contains("."))
        // The same call has a new URL each time. URLs of calls with longer or shorter ids have the same length.
        let again = tokens.token(for: secret, now: start)
        #expect(again != token && again.prefix(16) != token.prefix(16))
        let sessions = (1...8).map { String(repeating: "s", count: $0) }
        #expect(Set(sessions.map { tokens.token(for: Courier.replyTo(session: $0), now: start).count }).count == 1)
    }

    @Test func `a URL is valid until it expires`() throws {
        let tokens = try tokens(Self.key)
        let token = tokens.token(for: replyTo, now: start)
        _ = try tokens.read(token, now: start.advanced(by: .seconds(59)))
        let problem = #expect(throws: CallbackProblem.self) {
            try tokens.read(token, now: start.advanced(by: .seconds(60)))
        }
        #expect(problem?.status == .gone)
    }

    @Test func `a URL can't be forged or changed`() throws {
        let tokens = try tokens(Self.key)
        let token = tokens.token(for: replyTo, now: start)
        let sealed = try #require(Base64URL.decode(token[...]))
        // One bit of the nonce, the ciphertext or the tag is changed.
        let changed = [0, 11, 12, 40, sealed.count - 16, sealed.count - 1].map { index in
            var bytes = sealed
            bytes[index] ^= 1
            return Base64URL.encode(bytes)
        }
        let other = try self.tokens("another key of sixteen").token(for: replyTo, now: start)
        for wrong in changed + [
            "", ".", "a.b", token + "A", String(token.dropLast()), String(token.dropFirst()), token + ".", token + "=",
            other, Base64URL.encode(Array(sealed.dropLast(16))), Base64URL.encode([]),
            String(repeating: "a", count: 10_000), tokens.token(for: "me", now: start),
        ] {
            let problem = #expect(throws: CallbackProblem.self, "\(wrong)") { try tokens.read(wrong, now: start) }
            #expect(problem?.status == .badRequest && problem?.reason == .unauthorized)
        }
    }

    @Test func `the first key seals, and all keys open`() throws {
        let old = "the old key of this test"
        let new = "the new key of this test"
        let sealedByOld = try tokens(old).token(for: replyTo, now: start)
        let sealedByBoth = try tokens(new, old).token(for: replyTo, now: start)
        _ = try tokens(new, old).read(sealedByOld, now: start)
        _ = try tokens(old, new).read(sealedByBoth, now: start)
        _ = try tokens(new).read(sealedByBoth, now: start)
        #expect(throws: CallbackProblem.self) { try tokens(old).read(sealedByBoth, now: start) }
    }

    @Test func `a short key is refused, and so are no keys`() {
        for keys in [[], ["fifteen bytes ."], [Self.key, "short"]] {
            #expect(throws: CallbackSettingError.self) { try CallbackKeys(keys.map { Array($0.utf8) }) }
        }
    }

    @Test func `keys in a file are read again when it changes, and kept when it can't be used any more`() throws {
        let file = try TemporaryFile("\(Self.key)\n")
        let log = Recorder<String>()
        let keys = try CallbackKeys(file: file.path) { log.record("\($0)") }
        let tokens = CallbackTokens(keys: keys, base: "https://a")
        let first = tokens.token(for: replyTo, now: start)
        try file.write("the new key of this test\r\n\(Self.key)")
        let second = tokens.token(for: replyTo, now: start)
        _ = try tokens.read(first, now: start)
        _ = try self.tokens("the new key of this test").read(second, now: start)
        for text in ["", "short\n", "the new key of this test\nshort"] {
            try file.write(text)
            _ = try tokens.read(second, now: start)
            _ = try tokens.read(second, now: start)
        }
        file.remove()
        _ = try tokens.read(second, now: start)
        #expect(log.all.count == 4, "\(log.all)")
        #expect(log.all.allSatisfy { $0.contains(file.path) && !$0.contains("new key") }, "\(log.all)")
        try file.write("the third key of this test")
        #expect(throws: CallbackProblem.self) { try tokens.read(second, now: start) }
        #expect(throws: CallbackSettingError.self) { try CallbackKeys(file: "/nowhere") { _ in } }
    }

    @Test func `base64url reads only what it writes`() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)[...]) == bytes)
        }
        #expect(Base64URL.encode(Array("<<???>>".utf8)) == "PDw_Pz8-Pg")
        for text in ["A", "AB=", "A+", "A/", "AB ", "AC"] {
            #expect(Base64URL.decode(text[...]) == nil || text == "AA", "\(text)")
        }
    }
}

@Suite("AES-GCM") struct SealingTests {
    private let key = [UInt8](repeating: 7, count: 32)
    private let context = Array("for this".utf8)

    @Test func `opens what it has sealed, of any length, and seals the same message differently each time`() throws {
        for count in [0, 1, 15, 16, 17, 1_000] {
            let message = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let sealed = try #require(AESGCM.seal(message, key: key, context: context))
            #expect(sealed.count == count + 28 && AESGCM.open(sealed, key: key, context: context) == message)
            #expect(AESGCM.seal(message, key: key, context: context) != sealed)
        }
    }

    @Test func `opens nothing that was changed, cut, sealed with another key or for something else`() throws {
        let sealed = try #require(AESGCM.seal([1, 2, 3], key: key, context: context))
        for index in sealed.indices {
            var other = sealed
            other[index] ^= 0x80
            #expect(AESGCM.open(other, key: key, context: context) == nil)
            #expect(AESGCM.open(Array(sealed[..<index]), key: key, context: context) == nil)
        }
        #expect(AESGCM.open(sealed, key: [UInt8](repeating: 8, count: 32), context: context) == nil)
        #expect(AESGCM.open(sealed, key: key, context: []) == nil)
        #expect(AESGCM.seal([1], key: [1], context: []) == nil)
        #expect(AESGCM.open(sealed, key: [1], context: context) == nil)
    }

    @Test func `is the AES-256-GCM of the standard`() {
        // Test case 14 of "The Galois/Counter Mode of Operation" (McGrew, Viega): nonce, ciphertext and tag of sixteen
        // zero bytes under a zero key.
        let nonce = String(repeating: "0", count: 24)
        let text = Hexadecimal.decode("\(nonce)cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919") ?? []
        func zeros(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: count) }
        #expect(AESGCM.open(text, key: zeros(32), context: []) == zeros(16))
    }
}
