extension Cluster {
    func produce(_ request: consuming Request) throws(MalformedRequest) {
        let (version, fault) = (request.reply.version, request.fault)
        // The transactional id.
        _ = try request.reader.nullableString()
        let acknowledges = try request.reader.integer(Int16.self) != 0
        _ = try request.reader.integer(Int32.self)
        let topics = try request.reader.array { [self] reader throws(MalformedRequest) in
            let name = try reader.string()
            let partitions = try reader.array { [self] reader throws(MalformedRequest) in
                let number: Int32 = try reader.integer()
                let records = try reader.byteArray()
                let result = fault.map { .failure($0) } ?? append(records, to: name, number)
                return (number, result)
            }
            return (name, partitions)
        }
        guard acknowledges else { return }
        request.reply.send { response in
            response.write(topics) { response, topic in
                response.write(topic.0)
                response.write(topic.1) { response, partition in
                    let (number, result) = partition
                    let (offset, fault): (Int64, DevelopmentBroker.Fault?) =
                        switch result {
                        case .success(let offset): (offset, nil)
                        case .failure(let fault): (-1, fault)
                        }
                    response.write(number)
                    response.write(fault)
                    response.write(offset)
                    // The log append time, if records have it, and the oldest offset.
                    response.write(self.partition(topic.0, number)?.appendTime ?? -1)
                    if version >= 5 { response.write(self.partition(topic.0, number)?.start ?? -1) }
                }
            }
            response.write(Int32(0))
        }
    }

    private func append(_ records: UnsafeRawBufferPointer, to topic: String, _ number: Int32) -> Result<
        Int64, DevelopmentBroker.Fault
    > {
        guard let partition = partition(topic, number) else { return .failure(.unknownTopicOrPartition) }
        if partition.isLeaderAway { return .failure(.notLeader) }
        let result = partition.append(records, at: time)
        if case .success = result { for fetch in partition.waiting { fetch.mayHaveMore = true } }
        return result
    }

    /// Appends a batch that no client can read.
    func appendUnreadable(_ count: Int, to topic: String, _ number: Int32) -> DevelopmentBroker.Fault? {
        guard let partition = partition(topic, number) else { return .unknownTopicOrPartition }
        partition.appendUnreadable(max(1, count), at: time)
        for fetch in partition.waiting { fetch.mayHaveMore = true }
        return nil
    }

    func listOffsets(_ request: consuming Request) throws(MalformedRequest) {
        let (version, fault) = (request.reply.version, request.fault)
        _ = try request.reader.integer(Int32.self)
        if version >= 2 { _ = try request.reader.integer(Int8.self) }
        let topics = try request.reader.array { reader throws(MalformedRequest) in
            let name = try reader.string()
            let partitions = try reader.array { reader throws(MalformedRequest) in
                let number: Int32 = try reader.integer()
                if version >= 4 { _ = try reader.integer(Int32.self) }
                return (number, time: try reader.integer(Int64.self))
            }
            return (name, partitions)
        }
        request.reply.send { response in
            if version >= 2 { response.write(Int32(0)) }
            response.write(topics) { response, topic in
                response.write(topic.0)
                response.write(topic.1) { response, wanted in
                    let partition = self.partition(topic.0, wanted.0)
                    let fault = fault ?? (partition?.isLeaderAway == true ? .notLeader : nil)
                    let found = fault == nil ? partition?.position(ofTime: wanted.time) : nil
                    response.write(wanted.0)
                    response.write(fault ?? (partition == nil ? .unknownTopicOrPartition : nil))
                    response.write(found?.timestamp ?? -1)
                    response.write(found?.offset ?? -1)
                    if version >= 4 { response.write(Int32(-1)) }
                }
            }
        }
    }
}

extension PartitionLog {
    /// Returns the offset for a time. Two special times stand for the beginning and the end.
    fileprivate func position(ofTime time: Int64) -> (offset: Int64, timestamp: Int64)? {
        switch time {
        case -1: (end, -1)
        case -2: (start, -1)
        default: offset(ofTime: time)
        }
    }
}
