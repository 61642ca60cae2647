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

    /// The answer that tells a part of what the reader has missed. It comes again for the rest.
    static func response(of part: ByteBuffer) -> Response { Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: part)) }

    /// The answer that tells what a subscription brings, until the reader leaves or is too slow, or the process ends.
    ///
    /// - Parameters:
    ///   - first: what comes before.
    ///   - pause: for how long what comes is gathered after each write. Where much comes, many small writes cost more than what is in them.
    ///   - encode: writes the events that this reader may see.
    ///   - end: is called when it is over.
    static func response(
        of subscription: Subscription, first: ByteBuffer, pause: Duration = .zero,
        encode: @escaping @Sendable ([TimelineEvent], inout ByteBuffer) -> Void,
        end: @escaping @Sendable () -> Void
    ) -> Response {
        Response(
            status: .ok, headers: headers,
            body: ResponseBody { writer in
                defer { end() }
                // A write waits for a reader that does not read, for ever if it must. What has ended the subscription then ends the write.
                let boxed = UncheckedWriter(writer)
                await withGracefulShutdownHandler {
                    await withTaskGroup(of: Bool.self) { group in
                        group.addTask {
                            var writer = boxed.writer
                            do {
                                try await writer.write(first)
                                while case .events(let events) = await subscription.next() {
                                    var buffer = ByteBuffer()
                                    if events.isEmpty { buffer.writeStaticString(": alive\n\n") } else { encode(events, &buffer) }
                                    if buffer.readableBytes > 0 { try await writer.write(buffer) }
                                    if pause > .zero { try await ContinuousClock().sleep(for: pause) }
                                }
                            } catch { subscription.end(.cancelled) }
                            return true
                        }
                        group.addTask {
                            // When the process ends, what has come before is still written.
                            await subscription.ended() != .closed
                        }
                        for await isOver in group where isOver { break }
                        group.cancelAll()
                    }
                } onGracefulShutdown: {
                    subscription.end(.closed)
                }
                if subscription.ending == .tooSlow { throw SlowReader() }
                try await writer.finish(nil)
            })
    }
}

/// A reader was cut off.
private struct SlowReader: Error {}

/// The writer of a body, for the one task that writes. Hummingbird's protocol does not say that it is sendable; its own writers are.
private struct UncheckedWriter: @unchecked Sendable {
    let writer: any ResponseBodyWriter
    init(_ writer: any ResponseBodyWriter) { self.writer = writer }
}
