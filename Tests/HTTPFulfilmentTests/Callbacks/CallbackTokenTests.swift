import Conversation
import Foundation
import IntentModel
import MessageAuthentication
import Pipeline
import PipelineTestKit
import Testing

@testable import HTTPFulfilment

@Suite("Callback URLs") struct CallbackTokenTests {
    private let start = Instant(milliseconds: 1_700_000_000_000)
    private let replyTo = Courier.replyTo(partition: 2)
    private static let key = "a key of sixteen bytes"

    private func tokens(_ keys: String...) throws -> CallbackTokens {
        CallbackTokens(
            keys: try CallbackKeys(keys.map { Array($0.utf8) }), base: "https://intents.example.com/",
            lifetime: .seconds(60))
    }

    @Test func `a URL identifies its call, in every process with the key`() throws {
        let url = try tokens(Self.key).url(for: replyTo, now: start)
        #expect(url.hasPrefix("https://intents.example.com/v1/answers/"))
        let answer = try tokens(Self.key).read(
            String(url.dropFirst("https://intents.example.com/v1/answers/".count)), now: start)
        #expect(answer.session == "me" && answer.request == "r1" && answer.step == 4 && answer.partition == 2)
    }

    @Test(
        "a URL tells its holder nothing about the call: neither its text, nor its bytes, nor a comparison with another one"
    )
    func opaque() throws {
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
        let lengths = Set(
            (1...8).map {
                tokens.token(for: Courier.replyTo(session: String(repeating: "s", count: $0)), now: start).count
            })
        #expect(lengths.count == 1)
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
            #expect(sealed.count == count + 28)
            #expect(AESGCM.open(sealed, key: key, context: context) == message)
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
        #expect(
            AESGCM.seal([1], key: [1], context: context) == nil
                && AESGCM.open(sealed, key: [1], context: context) == nil)
    }

    @Test func `is the AES-256-GCM of the standard`() {
        // Test case 14 of "The Galois/Counter Mode of Operation" (McGrew, Viega): nonce, ciphertext and tag of sixteen
        // zero bytes under a zero key.
        let sealed =
            Hexadecimal.decode(
                "000000000000000000000000cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919") ?? []
        #expect(
            AESGCM.open(sealed, key: [UInt8](repeating: 0, count: 32), context: []) == [UInt8](repeating: 0, count: 16))
    }
}
