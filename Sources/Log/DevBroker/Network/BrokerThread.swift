import Foundation
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The thread of a broker. It waits for sockets and deadlines, and passes requests to ``Cluster``.
///
/// The lock protects the cluster. The thread holds the lock while it works, not while it waits.
final class BrokerThread: @unchecked Sendable {
    let port: UInt16
    private let lock = Mutex<Void>(())
    private let cluster: Cluster
    private let listener: Listener
    private let wakes: WakePipe
    private var connections: [Connection] = []
    private var isStopped = false
    private let ended = DispatchSemaphore(value: 0)

    init(host: String, port wanted: UInt16, advertising advertised: String) throws(DevelopmentBrokerError) {
        listener = try Listener(host: host, port: wanted)
        wakes = try WakePipe()
        port = listener.port
        cluster = Cluster(host: advertised, port: Int32(listener.port))
    }

    func start() {
        let thread = Thread { [self] in
            run()
            ended.signal()
        }
        thread.name = "broker"
        thread.start()
    }

    /// Calls `body` with the cluster, from any thread, and wakes the thread to process the changes.
    func withCluster<Value>(_ body: (Cluster) -> Value) -> Value {
        let value = lock.withLock { _ in body(cluster) }
        wakes.wake()
        return value
    }

    /// Ends the thread and closes all connections.
    func stop() {
        lock.withLock { _ in isStopped = true }
        wakes.wake()
        ended.wait()
    }

    private func run() {
        var polled: [pollfd] = []
        var wait: Int32 = 0
        while true {
            polled.removeAll(keepingCapacity: true)
            polled.append(pollfd(fd: wakes.readEnd, events: Int16(POLLIN), revents: 0))
            polled.append(pollfd(fd: listener.socket, events: Int16(POLLIN), revents: 0))
            for connection in connections {
                // The end of a connection is detected even while one of its requests waits.
                let events = POLLIN | (connection.isCongested ? POLLOUT : 0)
                polled.append(pollfd(fd: connection.socket, events: Int16(events), revents: 0))
            }
            _ = poll(&polled, nfds_t(polled.count), wait)
            let next = lock.withLock { _ in isStopped ? nil : serveReady(polled) }
            guard let next else { break }
            wait = next
        }
        for connection in connections {
            connection.close()
            cluster.dropRequests(of: connection)
        }
        connections = []
    }

    /// Serves the sockets and deadlines that are ready.
    ///
    /// - Returns: The time until the next deadline, in milliseconds; -1 for no deadline.
    private func serveReady(_ polled: [pollfd]) -> Int32 {
        let now = ContinuousClock.now
        cluster.now = now
        if polled[0].revents != 0 { wakes.drain() }
        if polled[1].revents != 0, let connection = listener.accept() {
            if cluster.isDown { connection.close() } else { connections.append(connection) }
        }
        for (connection, polled) in zip(connections, polled.dropFirst(2)) where polled.revents & ~Int16(POLLOUT) != 0 {
            connection.receive()
        }
        for connection in connections {
            if cluster.isDown { connection.close() }
            while let request = connection.nextRequest() { cluster.serve(request, of: connection) }
        }
        cluster.advance()
        var deadline = cluster.nextDeadline
        for connection in connections {
            if let release = connection.flush(at: now, roundTrip: cluster.roundTrip) {
                deadline = min(deadline ?? release, release)
            }
            if connection.isClosed { cluster.dropRequests(of: connection) }
        }
        connections.removeAll(where: \.isClosed)
        // Responses may have resumed waiting connections, and further requests may have arrived together with the
        // answered one.
        if connections.contains(where: \.hasRequest) { return 0 }
        guard let deadline else { return -1 }
        let milliseconds = now.duration(to: deadline) / .milliseconds(1)
        return Int32(min(max(0, milliseconds.rounded(.up)), 60_000))
    }
}
