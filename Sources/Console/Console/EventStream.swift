import Foundation
import HTTPTypes
import Hummingbird
import IntentModel
import NIOCore
import PersonGateway
import ServiceLifecycle

/// Server-sent events. A reader that does not read is cut off, and goes on from its last event when it comes again.
enum EventStream {
    static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store", HTTPField.Name("X-Accel-Buffering") ?? .from: "no",
    ]

    /// One event. `data` has no line breaks: it is JSON as the pipeline writes it.
    static func write(_ data: JSON, event: String, id: String?, to buffer: inout ByteBuffer) {
        if let id {
            buffer.writeStaticString("id: ")
            buffer.writeString(id)
            buffer.writeStaticString("\n")
        }
        buffer.writeStaticString("event: ")
        buffer.writeString(event)
        buffer.writeStaticString("\ndata: ")
        writeLine(data, to: &buffer)
        buffer.writeStaticString("\n\n")
    }

    /// JSON on one line.
    static func writeLine(_ data: JSON, to buffer: inout ByteBuffer) {
        // A producer's own JSON may have line breaks between its parts; in a string they are escaped.
        let isOneLine = data.bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0x0A, bytes.count) == nil && memchr($0, 0x0D, bytes.count) == nil } ?? true
        }
        if !isOneLine {
            buffer.writeBytes(data.bytes.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
        } else {
            buffer.writeBytes(data.bytes)
        }
    }

    /// A stream was cut off.
    struct Cut: Error {}

    /// A comment: it shows both sides that the other one is there.
    static let alive = ByteBuffer(string: ": alive\n\n")

    /// The answer that tells a part of what the reader has missed. It comes again for the rest.
    static func response(of part: ByteBuffer, on seat: StreamSeat) -> Response {
        response(on: seat) { writer in try await writer.write(part) }
    }

    /// The answer that tells what is followed, until the reader leaves or is too slow, or the process ends.
    ///
    /// - Parameters:
    ///   - first: what comes before.
    ///   - pause: for how long what comes is gathered after each write. Where much comes, many small writes cost more than what is in them.
    ///   - encode: writes the events that this reader may see.
    ///   - end: is called when it is over.
    static func response(
        of followed: FollowedEvents, first: ByteBuffer, pause: Duration = .zero, on seat: StreamSeat,
        encode: @escaping @Sendable ([FollowedEvents.Event], inout ByteBuffer) -> Void,
        end: @escaping @Sendable () -> Void
    ) -> Response {
        response(
            on: seat,
            tell: { writer in
                defer { end() }
                try await withGracefulShutdownHandler {
                    try await writer.write(first)
                    while case .events(let events) = await followed.next() {
                        var buffer = ByteBuffer()
                        if events.isEmpty { buffer = alive } else { encode(events, &buffer) }
                        if buffer.readableBytes > 0 { try await writer.write(buffer) }
                        if pause > .zero { try await ContinuousClock().sleep(for: pause) }
                    }
                } onGracefulShutdown: {
                    followed.end(.closed)
                }
                if followed.ending == .tooSlow { throw Cut() }
            },
            // When the process ends, what has come before is still written.
            isCut: { await followed.ended() == .tooSlow })
    }

    /// The answer of a stream. All streams are answered with this one, so that none outlives its reader or its token.
    ///
    /// - Parameters:
    ///   - seat: the place of the stream among those that are open.
    ///   - tell: writes what there is to tell. It is cancelled when ``OpenStreams`` ends the stream, because a write waits for a reader that does not read, for ever if it must.
    ///   - isCut: waits for a further reason to end it; `false` if there will be none.
    static func response(
        on seat: StreamSeat, tell: @escaping @Sendable (StreamWriter) async throws -> Void,
        isCut: (@Sendable () async -> Bool)? = nil
    ) -> Response {
        Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                let stream = seat.stream
                defer { seat.leave() }
                let writer = StreamWriter(writer, stream)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await tell(writer)
                        try await writer.finish()
                        return true
                    }
                    group.addTask {
                        await stream.ended()
                        throw Cut()
                    }
                    if let isCut {
                        group.addTask {
                            if await isCut() { throw Cut() }
                            return false
                        }
                    }
                    defer { group.cancelAll() }
                    while let isOver = try await group.next(), !isOver {}
                }
            })
    }
}

/// Writes the body of a stream, from one task at a time.
struct StreamWriter: @unchecked Sendable {
    // Hummingbird's protocol does not say that it is sendable; its own writers are.
    private let writer: any ResponseBodyWriter
    private let stream: OpenStream

    init(_ writer: any ResponseBodyWriter, _ stream: OpenStream) { (self.writer, self.stream) = (writer, stream) }

    func write(_ buffer: ByteBuffer) async throws {
        try await stream.write {
            var writer = writer
            try await writer.write(buffer)
        }
    }

    fileprivate func finish() async throws { try await stream.write { try await writer.finish(nil) } }
}
