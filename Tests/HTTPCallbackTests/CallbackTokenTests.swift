import Conversation
import IntentModel
import Pipeline
import Testing

@testable import HTTPCallback

@Suite("Callback URLs")
struct CallbackTokenTests {
    private let tokens = CallbackTokens(
        key: Array("a key of sixteen bytes".utf8), base: "https://intents.example.com/", lifetime: .seconds(60))
    private let start = Instant(milliseconds: 1_700_000_000_000)
    private let replyTo = #"["me","r1",4,2]"#

    @Test("a URL identifies its call, in every process with the key")
    func back() throws {
        let tokens = try #require(tokens)
        let url = tokens.url(for: replyTo, now: start)
        #expect(url.hasPrefix("https://intents.example.com/v1/answers/"))
        let answer = try tokens.read(String(url.dropFirst("https://intents.example.com/v1/answers/".count)), now: start)
        #expect(answer.session == "me" && answer.request == "r1" && answer.step == 4 && answer.partition == 2)
    }

    @Test("a URL is valid until it expires")
    func expiry() throws {
        let tokens = try #require(tokens)
        let token = tokens.token(for: replyTo, now: start)
        _ = try tokens.read(token, now: start.advanced(by: .seconds(59)))
        let problem = #expect(throws: CallbackProblem.self) { try tokens.read(token, now: start.advanced(by: .seconds(60))) }
        #expect(problem?.status == .gone)
    }

    @Test("a URL can't be forged")
    func forged() throws {
        let tokens = try #require(tokens)
        let token = tokens.token(for: replyTo, now: start)
        let other = try #require(CallbackTokens(key: Array("another key of sixteen".utf8), base: "https://a"))
        let dot = try #require(token.firstIndex(of: "."))
        let swapped = tokens.token(for: #"["me","r2",4,2]"#, now: start).prefix { $0 != "." } + token[dot...]
        for wrong in [
            "", ".", "a.b", token + "A", String(token.dropLast()), String(token.dropFirst()), token + ".", String(swapped), token + "=",
            other.token(for: replyTo, now: start), String(repeating: "a", count: 10_000), tokens.token(for: "me", now: start),
        ] {
            let problem = #expect(throws: CallbackProblem.self, "\(wrong)") { try tokens.read(wrong, now: start) }
            #expect(problem?.status == .badRequest)
        }
    }

    @Test("a short key is refused")
    func short() { #expect(CallbackTokens(key: Array("fifteen bytes .".utf8), base: "https://a") == nil) }

    @Test("base64url reads only what it writes")
    func base64() {
        for count in 0..<70 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 83 &+ count) }
            #expect(Base64URL.decode(Base64URL.encode(bytes)[...]) == bytes)
        }
        #expect(Base64URL.encode(Array("<<???>>".utf8)) == "PDw_Pz8-Pg")
        for text in ["A", "AB=", "A+", "A/", "AB ", "AC"] { #expect(Base64URL.decode(text[...]) == nil || text == "AA", "\(text)") }
    }
}
