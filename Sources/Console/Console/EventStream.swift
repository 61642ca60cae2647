import Foundation
import HTTPTypes
import Hummingbird
import IntentModel
import NIOCore
import PersonGateway
import ServiceLifecycle

/// Writes server-sent events. A reader that does not read is disconnected. When the reader connects again, the stream
/// resumes after the reader's last event.
enum EventStream {
    static let headers: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        HTTPField.Name("X-Accel-Buffering") ?? .from: "no",
    ]

    /// Writes one event, with `data` on one line.
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

    /// Writes JSON on one line.
    static func writeLine(_ data: JSON, to buffer: inout ByteBuffer) {
        // A producer's JSON may have line breaks between its tokens. In strings, line breaks are escaped.
        let isOneLine = data.bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.map { memchr($0, 0x0A, bytes.count) == nil && memchr($0, 0x0D, bytes.count) == nil }
                ?? true
        }
        if !isOneLine {
            buffer.writeBytes(
                data.bytes.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 })
        } else {
            buffer.writeBytes(data.bytes)
        }
    }

    /// An error that disconnects the reader of a stream.
    struct Disconnect: Error {}

    /// A comment that shows each side that the other is still connected.
    static let alive = ByteBuffer(string: ": alive\n\n")

    /// Returns a response with a part of the events that the reader has missed. The reader reconnects for the rest.
    static func response(of part: ByteBuffer, on seat: StreamSeat) -> Response {
        response(on: seat) { writer in try await writer.write(part) }
    }

    /// Returns a response that streams followed events until the reader disconnects or is too slow, or the process
    /// ends.
    ///
    /// - Parameters:
    ///   - first: The bytes to write before the first event.
    ///   - pause: The time for which events are gathered after each write. If there are many events, small writes cost
    ///     more than their contents.
    ///   - encode: Writes the events that this reader may see.
    ///   - end: Called when the stream ends.
    static func response(
        of followed: FollowedEvents, first: ByteBuffer, pause: Duration = .zero, on seat: StreamSeat,
        encode: @escaping @Sendable ([FollowedEvents.Event], inout ByteBuffer) -> Void,
        end: @escaping @Sendable () -> Void
    ) -> Response {
        response(
            on: seat,
            writeContents: { writer in
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
                if followed.ending == .tooSlow { throw Disconnect() }
            },
            // When the process ends, events that have arrived before are still written.
            awaitDisconnect: { await followed.ended() == .tooSlow })
    }

    /// Returns the response of a stream. All streams use this function, so that no stream outlives its reader or its
    /// token.
    ///
    /// - Parameters:
    ///   - seat: The stream's place among the open streams.
    ///   - writeContents: Writes the contents of the stream. ``OpenStreams`` cancels the closure when it ends the
    ///     stream, because a write to a reader that does not read may wait forever.
    ///   - awaitDisconnect: Waits for another reason to disconnect the reader; `false` if there is none.
    static func response(
        on seat: StreamSeat, writeContents: @escaping @Sendable (StreamWriter) async throws -> Void,
        awaitDisconnect: (@Sendable () async -> Bool)? = nil
    ) -> Response {
        Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                let stream = seat.stream
                defer { seat.release() }
                let writer = StreamWriter(writer, stream)
                try await withThrowingTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        try await writeContents(writer)
                        try await writer.finish()
                        return true
                    }
                    group.addTask {
                        await stream.ended()
                        throw Disconnect()
                    }
                    if let awaitDisconnect {
                        group.addTask {
                            if await awaitDisconnect() { throw Disconnect() }
                            return false
                        }
                    }
                    defer { group.cancelAll() }
                    while let isOver = try await group.next(), !isOver {}
                }
            })
    }
}

/// Writes the body of a stream. One task may write at a time.
struct StreamWriter: @unchecked Sendable {
    // Hummingbird's protocol is not declared `Sendable`; its own writers are.
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
