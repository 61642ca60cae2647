/// A received request.
struct Request {
    var reader: RequestReader
    let reply: Reply
    let clientID: String
    /// The injected error of the response.
    let fault: DevelopmentBroker.Fault?
}

/// A supported kind of request.
struct SupportedRequest {
    static let versionsKey: Int16 = 18

    let key: Int16
    let versions: ClosedRange<Int16>
    /// The oldest version in the response about versions. librdkafka treats a broker without the oldest versions as
    /// older than Kafka 0.10.
    let announced: Int16
    let answer: (Cluster) -> (consuming Request) throws(MalformedRequest) -> Void

    private init(
        _ key: DevelopmentBroker.Request, _ versions: ClosedRange<Int16>, announced: Int16? = nil,
        _ answer: @escaping (Cluster) -> (consuming Request) throws(MalformedRequest) -> Void
    ) {
        self.key = key.key
        self.versions = versions
        self.announced = announced ?? versions.lowerBound
        self.answer = answer
    }

    /// The supported requests. The newest versions precede the protocol's compact format; all clients still support
    /// them.
    nonisolated(unsafe) static let all: [SupportedRequest] = [
        SupportedRequest(.produce, 3...7, announced: 0, Cluster.produce),
        SupportedRequest(.fetch, 4...11, Cluster.fetch),
        SupportedRequest(.listOffsets, 1...5, Cluster.listOffsets),
        SupportedRequest(.metadata, 0...4, Cluster.metadata),
        SupportedRequest(.offsetCommit, 2...7, Cluster.commit),
        SupportedRequest(.offsetFetch, 1...5, Cluster.committed),
        SupportedRequest(.findCoordinator, 0...2, Cluster.findCoordinator),
        SupportedRequest(.joinGroup, 0...5, Cluster.join),
        SupportedRequest(.heartbeat, 0...3, Cluster.heartbeat), SupportedRequest(.leaveGroup, 0...2, Cluster.leave),
        SupportedRequest(.syncGroup, 0...3, Cluster.sync),
        SupportedRequest(DevelopmentBroker.Request(key: versionsKey), 0...2) { cluster in
            { request throws(MalformedRequest) in cluster.versions(request.reply, fault: nil) }
        },
        SupportedRequest(.initProducerID, 0...1, Cluster.initProducer),
    ]
}

extension Cluster {
    func versions(_ reply: Reply, fault: DevelopmentBroker.Fault?) {
        reply.send { response in
            response.write(fault)
            response.write(SupportedRequest.all) { response, request in
                response.write(request.key)
                response.write(request.announced)
                response.write(request.versions.upperBound)
            }
            // Clients expect version 0 in the response to an unsupported version.
            if fault == nil, reply.version >= 1 { response.write(Int32(0)) }
        }
    }

    func initProducer(_ request: consuming Request) throws(MalformedRequest) {
        let fault = request.fault
        if fault == nil { nextProducer += 1 }
        let producer = nextProducer
        request.reply.send { response in
            response.write(Int32(0))
            response.write(fault)
            response.write(fault == nil ? producer : -1)
            response.write(fault == nil ? Int16(0) : -1)
        }
    }
}
