#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A socket that listens on a port of this machine.
struct Listener: ~Copyable {
    let socket: Int32
    let port: UInt16

    /// - Parameters:
    ///   - host: The IPv4 address to listen on; 0.0.0.0 for all of this machine's.
    ///   - port: The port. With 0, the kernel chooses one.
    init(host: String, port wanted: UInt16) throws(DevelopmentBrokerError) {
        #if canImport(Darwin)
            let type = SOCK_STREAM
        #else
            let type = Int32(SOCK_STREAM.rawValue)
        #endif
        var address = sockaddr_in()
        guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw DevelopmentBrokerError("the broker can't listen on '\(host)': it is no IPv4 address")
        }
        let descriptor = systemSocket(AF_INET, type, 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = wanted.bigEndian
        // Without this option, the port is unusable for a minute after a broker with connections has ended.
        var yes: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 128) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard descriptor >= 0, isListening else {
            let reason = String(cString: strerror(errno))
            if descriptor >= 0 { _ = systemClose(descriptor) }
            let name = wanted == 0 ? "a port" : "port \(wanted)"
            throw DevelopmentBrokerError("the broker can't listen on \(name) of \(host): \(reason)")
        }
        makeNonBlocking(descriptor)
        socket = descriptor
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit {
        _ = systemClose(socket)
    }

    /// Accepts the next connection of a client; `nil` if there is none.
    func accept() -> Connection? {
        let accepted = systemAccept(socket)
        guard accepted >= 0 else { return nil }
        makeNonBlocking(accepted)
        var yes: Int32 = 1
        // Without this option, the kernel delays the second of two small responses until the client has acknowledged
        // the first one: up to 40 ms.
        setsockopt(accepted, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        #if canImport(Darwin)
            setsockopt(accepted, SOL_SOCKET, SO_NOSIGPIPE, &yes, socklen_t(MemoryLayout<Int32>.size))
        #endif
        return Connection(accepted)
    }
}

/// A pipe that ends a `poll` from another thread.
struct WakePipe: ~Copyable {
    let readEnd: Int32
    private let writeEnd: Int32

    init() throws(DevelopmentBrokerError) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw DevelopmentBrokerError("the broker can't open a pipe: \(String(cString: strerror(errno)))")
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
        makeNonBlocking(readEnd)
        makeNonBlocking(writeEnd)
    }

    deinit {
        _ = systemClose(readEnd)
        _ = systemClose(writeEnd)
    }

    func wake() {
        var byte: UInt8 = 1
        // A full pipe contains a wake-up already.
        _ = write(writeEnd, &byte, 1)
    }

    func drain() {
        var bytes = (0 as UInt64, 0 as UInt64)
        while read(readEnd, &bytes, 16) == 16 {}
    }
}

private func makeNonBlocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    // A child process must not inherit the descriptor.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
}

// Methods in this module have the same names as these calls.

func systemClose(_ descriptor: Int32) -> Int32 { close(descriptor) }

private func systemSocket(_ domain: Int32, _ type: Int32, _ proto: Int32) -> Int32 { socket(domain, type, proto) }

private func systemAccept(_ listener: Int32) -> Int32 { accept(listener, nil, nil) }

/// Calls `send` without the signal that a closed connection would raise.
func systemSend(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    #if canImport(Darwin)
        send(descriptor, bytes, count, 0)
    #else
        send(descriptor, bytes, count, Int32(MSG_NOSIGNAL))
    #endif
}
