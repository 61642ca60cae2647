import Conversation
import IntentModel
import Logging
import PipelineService
import PipelineTestKit
import Testing

@Suite("Logs as JSON") struct JSONLogHandlerTests {
    private let lines = Recorder<[UInt8]>()

    private func logger(_ provider: Logger.MetadataProvider? = nil) -> Logger {
        Logger(label: "intent-handler") { [lines] label in
            var handler = JSONLogHandler(label: label, clock: { Instant(milliseconds: 0) }, write: lines.record)
            handler.metadataProvider = provider
            return handler
        }
    }

    @Test func `an entry is one line, with its metadata under their own names, in order`() throws {
        var logger = logger()
        logger[metadataKey: "role"] = "handler"
        logger.warning(
            "it is \("late")",
            metadata: ["session": "s", "ids": ["1", "2"], "place": ["topic": "t"], "message": "mine"])
        #expect(
            String(decoding: try #require(lines.all.first), as: UTF8.self)
                == #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","logger":"intent-handler","message":"it is late","ids":["1","2"],"_message":"mine","place":{"topic":"t"},"role":"handler","session":"s"}"#
                + "\n")
    }

    @Test func `text from outside neither ends the line nor looks like another field`() throws {
        logger().error("dead letter", metadata: ["session": "a\n\",\"level\":\"info\"\u{1B}[2J\u{202E}"])
        let line = try #require(lines.all.first)
        let view = try JSONView(parsing: line)
        #expect(view["level"]?.string == "error")
        #expect(view["session"]?.string == #"a\u{A}","level":"info"\u{1B}[2J\u{202E}"#)
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    }

    @Test func `what the task works for is in each entry, unless the entry says otherwise`() throws {
        let logger = logger(Logger.MetadataProvider { ["trace_id": "t", "session": "s"] })
        logger.info("m", metadata: ["session": "own"])
        let view = try JSONView(parsing: try #require(lines.all.first))
        #expect(view["trace_id"]?.string == "t" && view["session"]?.string == "own")
    }

    @Test func `text from outside stays on its line and moves no cursor, also without JSON`() throws {
        let lines = Recorder<String>()
        let logger = Logger(label: "test") { _ in PrintableLogHandler(LineHandler(lines)) }
        logger.warning(
            "dead letter of \("s\u{1B}[2J")", metadata: ["session": "a\ncritical: all is lost", "ids": ["\u{202E}"]])
        let line = try #require(lines.all.first)
        #expect(line.contains(#"dead letter of s\u{1B}[2J"#) && line.contains("critical: all is lost"))
        #expect(!line.unicodeScalars.contains { ["\n", "\u{1B}", "\u{202E}"].contains($0) })
    }
}
