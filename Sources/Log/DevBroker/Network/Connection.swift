#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A client's connection. Its requests are served one after the other and answered in this order, as in Kafka.
final class Connection {
    /// The maximum size of a request, as Kafka's `socket.request.max.bytes`. A larger request ends the connection.
    private static let maximumRequest = 100 * 1024 * 1024

    let socket: Int32
    private(set) var isClosed = false
    /// `true` while a request waits for records or for other members of its group. No further request is served before
    /// it is answered.
    var isWaiting = false
    /// `true` while the socket does not accept all bytes of a response. No further request is served before they are
    /// sent.
    private(set) var isCongested = false
    private var received: UnsafeMutableRawPointer
    private var capacity = 64 * 1024
    private var start = 0
    private var end = 0
    private var response = ResponseBuffer()
    /// Responses that are delayed by the round-trip time, each with its position in the unsent bytes and the time of
    /// its request.
    private var held: [(start: Int, since: ContinuousClock.Instant)] = []

    init(_ socket: Int32) {
        self.socket = socket
        received = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        received.deallocate()
        if !isClosed { _ = systemClose(socket) }
    }

    func close() {
        if isClosed { return }
        isClosed = true
        _ = systemClose(socket)
    }

    // MARK: Receiving

    /// Reads the received bytes, and closes the connection at its end.
    func receive() {
        // The buffer exceeds the size of a request while an earlier request waits.
        guard end - start <= Self.maximumRequest else { return close() }
        if end == capacity { makeRoom(capacity * 2) }
        let count = recv(socket, received + end, capacity - end, 0)
        if count > 0 { return end += count }
        if count < 0, errno == EAGAIN || errno == EINTR { return }
        close()
    }

    private var isServed: Bool { !isWaiting && !isCongested && !isClosed }

    /// `true` if a whole request has arrived and can be served.
    var hasRequest: Bool {
        guard isServed, end - start >= 4 else { return false }
        return end - start - 4 >= Int(Int32(bigEndian: received.loadUnaligned(fromByteOffset: start, as: Int32.self)))
    }

    /// Returns the next whole request, without its size. The request is valid until the next call.
    func nextRequest() -> UnsafeRawBufferPointer? {
        guard isServed else { return nil }
        guard end - start >= 4 else {
            compact()
            return nil
        }
        let size = Int(Int32(bigEndian: received.loadUnaligned(fromByteOffset: start, as: Int32.self)))
        guard size >= 8, size <= Self.maximumRequest else {
            close()
            return nil
        }
        guard end - start >= size + 4 else {
            if capacity < size + 4 { makeRoom(size + 4) } else { compact() }
            return nil
        }
        defer { start += size + 4 }
        return UnsafeRawBufferPointer(start: received + start + 4, count: size)
    }

    private func compact() {
        if start == 0 { return }
        received.copyMemory(from: received + start, byteCount: end - start)
        (start, end) = (0, end - start)
    }

    private func makeRoom(_ count: Int) {
        compact()
        guard count > capacity else { return }
        capacity = max(count, capacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: received, byteCount: end)
        received.deallocate()
        received = larger
    }

    // MARK: Sending

    /// Appends a response to the unsent bytes.
    ///
    /// - Parameter delayedFrom: The time of the request, if the response is delayed by the round-trip time.
    func respond(
        _ correlation: Int32, delayedFrom instant: ContinuousClock.Instant?, _ body: (inout ResponseBuffer) -> Void
    ) {
        if isClosed { return }
        if let instant { held.append((response.count, instant)) }
        response.writeSized { response in
            response.write(correlation)
            body(&response)
        }
    }

    /// Sends the responses whose delay has passed.
    ///
    /// - Returns: The time at which the next delayed response may be sent.
    func flush(at now: ContinuousClock.Instant, roundTrip: Duration) -> ContinuousClock.Instant? {
        while let first = held.first, first.since + roundTrip <= now { held.removeFirst() }
        let limit = held.first?.start ?? response.count
        if limit > 0, !isClosed { send(limit) }
        return isClosed ? nil : held.first.map { $0.since + roundTrip }
    }

    private func send(_ count: Int) {
        let sent = response.withUnsent { systemSend(socket, $0.baseAddress, count) }
        if sent < 0 {
            isCongested = errno == EAGAIN || errno == EINTR
            if !isCongested { close() }
            return
        }
        isCongested = sent < count
        response.drop(sent)
        for index in held.indices { held[index].start -= sent }
    }
}
