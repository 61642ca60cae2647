import HTTPTypes
import Hummingbird
import IntentEvents
import IntentModel
import NIOCore
import PersonGateway
import Synchronization

/// The routes that stream events.
struct StreamRoutes: Sendable {
    let gateway: Gateway
    let archive: ResultArchive
    let figures: FigureTicker
    let streams: OpenStreams

    func add(to group: RouterGroup<ConsoleContext>) {
        group.get("sessions/:session/events") { request, context in
            let session = try context.session
            let caller = try context.caller
            let view = gateway.view(for: try caller.viewer(of: session, in: gateway))
            let seat = try streams.admit(caller)
            let last = try Self.lastEvent(request).map { text throws(HTTPProblem) in
                guard let place = LogPosition(text), place.partition < gateway.partitions else {
                    throw Self.badPlace(text)
                }
                return place
            }
            // The archive is not read for a caller who may see none of the results.
            return try await events(of: session, after: view.isShutOut(of: session) ? nil : last, view, caller, seat)
        }
        group.get("events") { request, context in
            let caller = try context.caller
            let view = gateway.view(for: try caller.viewer())
            let seat = try streams.admit(caller)
            let last = try Self.lastEvent(request).map { text throws(HTTPProblem) in try places(text) }
            return try await allEvents(after: last, view, caller, seat)
        }
        group.get("overview/events") { _, context in
            let caller = try context.caller
            var viewer = try caller.viewer()
            // Viewers who see the same share one overview.
            viewer.approver = nil
            let seat = try streams.admit(caller)
            let overviews = figures.overviews(for: viewer)
            return EventStream.response(on: seat) { writer in
                var buffer = ByteBuffer()
                for await overview in overviews {
                    buffer.clear()
                    EventStream.write(overview, event: "overview", id: nil, to: &buffer)
                    try await writer.write(buffer)
                }
            }
        }
    }

    private static func lastEvent(_ request: Request) -> String? {
        let text =
            request.headers[HTTPField.Name("Last-Event-ID") ?? .from]
            ?? request.uri.queryParameters["last-event-id"].map(String.init)
        return text?.isEmpty == true ? nil : text
    }

    private static func badPlace(_ text: String) -> HTTPProblem {
        HTTPProblem(
            .badRequest, "'\(text.prefix(64))' is no id of an event of this stream", .invalid, field: "Last-Event-ID")
    }

    // MARK: One session

    private func events(
        of session: Identifier, after last: LogPosition?, _ view: GatewayView, _ caller: Caller, _ seat: StreamSeat
    ) async throws -> Response {
        let (followed, missing) = view.follow(session, after: last)
        var first = ByteBuffer(string: "retry: 1000\n\n")
        // A result that was read from the archive is skipped when it arrives again.
        var reached = last?.offset ?? -1
        if let missing, let last {
            do {
                let part = try await archive.results(
                    of: session, in: last.partition, missing, for: view.viewer, caller.principal)
                for event in part.events { EventStream.write(event, to: &first) }
                if part.end < missing.upperBound {
                    followed.cancel()
                    return EventStream.response(of: first, on: seat)
                }
                reached = missing.upperBound - 1
            } catch {
                followed.cancel()
                throw (error as? GatewayProblem).map { HTTPProblem($0) } ?? error
            }
        }
        let places = Mutex(reached)
        return EventStream.response(of: followed, first: first, on: seat) { events, buffer in
            places.withLock { reached in
                for event in events {
                    if event.origin == .results {
                        // A result that arrived while following began may be both among the stored and among the new
                        // events.
                        guard event.position.offset > reached else { continue }
                        reached = event.position.offset
                    }
                    if let shown = event.shown { EventStream.write(shown, to: &buffer) }
                }
            }
        } end: {
            followed.cancel()
        }
    }

    // MARK: All sessions

    /// Parses an id of the stream of all sessions: the last result of each partition.
    private func places(_ text: String) throws(HTTPProblem) -> [Int32: Int64] {
        var places: [Int32: Int64] = [:]
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let place = LogPosition(part), place.partition < gateway.partitions,
                places.updateValue(place.offset, forKey: place.partition) == nil
            else { throw Self.badPlace(text) }
        }
        return places
    }

    private func allEvents(after last: [Int32: Int64]?, _ view: GatewayView, _ caller: Caller, _ seat: StreamSeat)
        async throws -> Response
    {
        let (followed, from) = view.followAll()
        var first = ByteBuffer(string: "retry: 1000\n\n")
        var reached = from.mapValues { $0 - 1 }
        do {
            for (partition, offset) in (last ?? [:]).sorted(by: { $0.key < $1.key }) {
                let end = from[partition] ?? 0
                guard offset + 1 < end else { continue }
                reached[partition] = offset
                // In the ids, partitions that are not read yet keep the reader's places.
                for (later, offset) in last ?? [:] where later > partition { reached[later] = offset }
                let part = try await archive.results(
                    of: nil, in: partition, offset + 1..<end, for: view.viewer, caller.principal)
                for event in part.events {
                    reached[partition] = event.position.offset
                    EventStream.write(event, id: Places(reached).description, to: &first)
                }
                if part.end < end || first.readableBytes > ResultArchive.maximumBytes {
                    followed.cancel()
                    return EventStream.response(of: first, on: seat)
                }
                reached[partition] = end - 1
            }
            reached.merge(from.mapValues { $0 - 1 }) { max($0, $1) }
        } catch {
            followed.cancel()
            throw (error as? GatewayProblem).map { HTTPProblem($0) } ?? error
        }
        let places = Mutex(Places(reached))
        return EventStream.response(of: followed, first: first, pause: .milliseconds(20), on: seat) { events, buffer in
            places.withLock { places in
                for event in events {
                    let isResult = event.origin == .results
                    if isResult {
                        guard places.advance(to: event.position) else { continue }
                    }
                    if let shown = event.shown {
                        EventStream.write(shown, id: isResult ? places.description : nil, to: &buffer)
                    }
                }
            }
        } end: {
            followed.cancel()
        }
    }

}

/// The id of an event in the stream of all sessions: the last result of each partition that was sent to the reader.
private struct Places: CustomStringConvertible {
    /// The offsets by partition; -1 for a partition without results.
    private var offsets: [Int64]

    init(_ reached: [Int32: Int64]) {
        offsets = Array(repeating: -1, count: Int(reached.keys.max() ?? -1) + 1)
        for (partition, offset) in reached { offsets[Int(partition)] = offset }
    }

    /// - Returns: `true` if the place is new.
    mutating func advance(to place: LogPosition) -> Bool {
        let partition = Int(place.partition)
        while offsets.count <= partition { offsets.append(-1) }
        guard place.offset > offsets[partition] else { return false }
        offsets[partition] = place.offset
        return true
    }

    var description: String {
        var text = ""
        for (partition, offset) in offsets.enumerated() where offset >= 0 {
            text += "\(text.isEmpty ? "" : ",")\(partition):\(offset)"
        }
        return text
    }
}

extension EventStream {
    /// Writes an event of one session. Only results have an id, because a stream resumes after a result.
    fileprivate static func write(_ event: TimelineEvent, to buffer: inout ByteBuffer) {
        write(event, id: event.origin == .results ? event.position.description : nil, to: &buffer)
    }

    fileprivate static func write(_ event: TimelineEvent, id: String?, to buffer: inout ByteBuffer) {
        write(event.cloudEvent, event: event.type.rawValue, id: id, to: &buffer)
    }
}
