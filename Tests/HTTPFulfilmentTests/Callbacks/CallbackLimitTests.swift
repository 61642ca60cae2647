import Conversation
import IntentEvents
import IntentModel
import NIOCore
import NIOEmbedded
import Pipeline
import RecordLog
import Testing

@testable import HTTPFulfilment

/// Tests the limits for clients of the callback server, on one connection with a manual clock.
@Suite("What a client of the callback server can take") struct CallbackLimitTests {
    private let channel = EmbeddedChannel()
    private let tokens: CallbackTokens

    init() throws {
        tokens = CallbackTokens(keys: try CallbackKeys([Array("a key of sixteen bytes".utf8)]), base: "https://a")
        let log = InMemoryLog { 0 }
        let writer = AcknowledgedWriter(client: try log.connect(ClientConfiguration(clientID: "callback")))
        let answers = DeferredOutcomes(tokens: tokens, topics: Topics(), writer: writer, clock: { Self.now }) {
            _, response in .responded(response)
        }
        try CallbackServer.configure(channel, answers, CallbackLimits())
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
    }

    private static let now = Instant(milliseconds: 1_700_000_000_000)

    private func send(_ text: String) throws { try channel.writeInbound(ByteBuffer(string: text)) }

    /// The text that the server has sent since the last call.
    private func answer() throws -> String {
        var text = ""
        while let part = try channel.readOutbound(as: IOData.self) {
            if case .byteBuffer(let buffer) = part { text += String(buffer: buffer) }
        }
        return text
    }

    private func advance(_ time: TimeAmount) { channel.embeddedEventLoop.advanceTime(by: time) }

    private func head(
        token: String? = nil, length: Int = 10_000, isChunked: Bool = false, _ more: String = ""
    ) -> String {
        let token = token ?? tokens.token(for: Courier.replyTo(), now: Self.now)
        let length = isChunked ? "Transfer-Encoding: chunked" : "Content-Length: \(length)"
        return "POST /v1/answers/\(token) HTTP/1.1\r\nHost: a\r\n\(length)\r\n\(more)\r\n"
    }

    @Test(
        "a request without a valid token is refused at its head: its body is not waited for, not read, and the connection ends"
    )
    func headFirst() throws {
        try send(head(token: "forged"))
        let refusal = try answer()
        #expect(
            refusal.hasPrefix("HTTP/1.1 400 ") && refusal.contains("\"unauthorized\"")
                && refusal.contains("Connection: close"))
        #expect(
            channel.options.contains { $0.option is ChannelOptions.Types.AutoReadOption && $0.value as? Bool == false })
        // More of the body, and another request behind it, change nothing.
        try send(String(repeating: " ", count: 10_000) + head())
        #expect(try answer().isEmpty && channel.isActive)
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: [
        "ZZ\r\n", "2\r\n{}\r\n0\r\n\r\n", "2\r\n{}\r\n0\r\n\r\nNEXT", "2\r\n{}\r\n0\r\n\r\nnonsense\r\n\r\n",
    ])
    func `a refused request may be followed by anything, be it no HTTP or the next request`(_ more: String) throws {
        let next = more.replacing("NEXT", with: head(length: 2) + "{}")
        _ = try? send(head(token: "forged", isChunked: true) + next)
        let answer = try answer()
        #expect(answer.hasPrefix("HTTP/1.1 400 ") && answer.contains("callback URL is invalid"), "\(answer)")
        #expect(!answer.contains("HTTP/1.1 202 "), "\(answer)")
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: [(nil, "100 Continue\r\n"), ("forged", "400 ")])
    func `who asks whether to send a body is told so by the head alone`(_ token: String?, _ status: String) throws {
        try send(head(token: token, "Expect: 100-continue\r\n"))
        #expect(try answer().hasPrefix("HTTP/1.1 \(status)"))
    }

    @Test(
        "a body that is too large is refused by its length alone, and without one when it exceeds the bound",
        arguments: [false, true])
    func tooLarge(isChunked: Bool) throws {
        let length = DeferredOutcomes.maximumBytes + 1
        try send(head(length: length, isChunked: isChunked))
        if isChunked {
            try send("\(String(length, radix: 16))\r\n")
            #expect(try answer().isEmpty)
            try send(String(repeating: " ", count: length))
        }
        #expect(try answer().hasPrefix("HTTP/1.1 413 "))
    }

    @Test func `a head that does not come in time ends the connection, however often a byte of it comes`() throws {
        for byte in "POST /v1/" {
            advance(.seconds(1))
            try send("\(byte)")
            #expect(channel.isActive)
        }
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test func `a body that does not come in time is refused, however often a byte of it comes`() throws {
        try send(head())
        for _ in 1...29 {
            advance(.seconds(1))
            try send(" ")
            #expect(try answer().isEmpty && channel.isActive)
        }
        advance(.seconds(1))
        #expect(try answer().hasPrefix("HTTP/1.1 408 "))
        advance(.seconds(1))
        #expect(!channel.isActive)
    }

    @Test(arguments: [false, true])
    func `a head of more than 16 KiB ends the connection, be it the path or the headers`(_ isPath: Bool) throws {
        try send(isPath ? "POST /v1/answers/" : "POST / HTTP/1.1\r\nX: ")
        for _ in 1...17 where channel.isActive { _ = try? send(String(repeating: "a", count: 1_024)) }
        #expect(!channel.isActive)
    }

    @Test(arguments: [(62, true), (63, false)])
    func `a head with more than 64 headers is refused`(_ count: Int, isAccepted: Bool) throws {
        // Host and Content-Length are two further headers.
        _ = try? send(head((1...count).map { "X\($0): 1\r\n" }.joined()))
        let answer = try answer()
        if isAccepted {
            #expect(answer.isEmpty && channel.isActive)
        } else {
            #expect(!channel.isActive || answer.hasPrefix("HTTP/1.1 4"), "\(answer)")
        }
    }

    @Test func `chunks of a byte each do not get more than the body's bound for their framing`() throws {
        try send(head(isChunked: true))
        let chunks = String(repeating: "1\r\n \r\n", count: 10_000)
        var sent = 0
        while channel.isActive, sent < 4 << 20 {
            _ = try? send(chunks)
            sent += chunks.utf8.count
        }
        #expect(!channel.isActive && sent < 1 << 20)
    }
}
