import Conversation
import IntentModel
import Logging
import PipelineService
import Synchronization
import Testing

@Suite("Logs as JSON")
struct JSONLogHandlerTests {
    private final class Lines: Sendable {
        let all = Mutex<[[UInt8]]>([])
    }

    private let lines = Lines()

    private func logger() -> Logger {
        Logger(label: "intent-handler") { [lines] label in
            JSONLogHandler(label: label, clock: { Instant(milliseconds: 0) }) { line in
                lines.all.withLock { $0.append(line) }
            }
        }
    }

    @Test("an entry is one line, with its metadata under their own names, in order")
    func line() throws {
        var logger = logger()
        logger[metadataKey: "role"] = "handler"
        logger.warning(
            "it is \("late")",
            metadata: ["session": "s", "ids": ["1", "2"], "place": ["topic": "t"], "message": "mine"])
        let line = try #require(lines.all.withLock { $0.first })
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"time":"1970-01-01T00:00:00.000Z","level":"warning","logger":"intent-handler","message":"it is late","ids":["1","2"],"_message":"mine","place":{"topic":"t"},"role":"handler","session":"s"}"#
                + "\n")
    }

    @Test("text from outside neither ends the line nor looks like another field")
    func escapes() throws {
        logger().error("dead letter", metadata: ["session": "a\n\",\"level\":\"info\"\u{1B}[2J\u{202E}"])
        let line = try #require(lines.all.withLock { $0.first })
        let view = try JSONView(parsing: line)
        #expect(
            view["level"]?.string == "error" && view["session"]?.string == #"a\u{A}","level":"info"\u{1B}[2J\u{202E}"#)
        #expect(line.count { $0 == UInt8(ascii: "\n") } == 1)
    }

    @Test("what the task works for is in each entry, unless the entry says otherwise")
    func provided() throws {
        let logger = Logger(label: "l") { [lines] label in
            var handler = JSONLogHandler(label: label, clock: { Instant(milliseconds: 0) }) { line in
                lines.all.withLock { $0.append(line) }
            }
            handler.metadataProvider = Logger.MetadataProvider { ["trace_id": "t", "session": "s"] }
            return handler
        }
        logger.info("m", metadata: ["session": "own"])
        let view = try JSONView(parsing: try #require(lines.all.withLock { $0.first }))
        #expect(view["trace_id"]?.string == "t" && view["session"]?.string == "own")
    }
}
