extension Cluster {
    func fetch(_ request: consuming Request) throws(MalformedRequest) {
        let (version, fault) = (request.reply.version, request.fault)
        _ = try request.reader.integer(Int32.self)
        let wait = Duration.milliseconds(max(0, try request.reader.integer(Int32.self)))
        let minimum = try request.reader.integer(Int32.self)
        let limit = Int(try request.reader.integer(Int32.self))
        // The isolation level, and from version 7 the session.
        try request.reader.skip(version >= 7 ? 9 : 1)
        let topics = try request.reader.array { [self] reader throws(MalformedRequest) in
            let name = try reader.string()
            let logs = self.topics[name] ?? []
            let partitions = try reader.array { reader throws(MalformedRequest) in
                let number: Int32 = try reader.integer()
                if version >= 9 { _ = try reader.integer(Int32.self) }
                let offset: Int64 = try reader.integer()
                if version >= 5 { _ = try reader.integer(Int64.self) }
                return ParkedFetch.Position(
                    number: number, log: logs.indices.contains(Int(number)) ? logs[Int(number)] : nil, offset: offset,
                    limit: Int(try reader.integer(Int32.self)))
            }
            return ParkedFetch.Topic(name: name, partitions: partitions)
        }
        let fetch = ParkedFetch(request.reply, topics, limit: limit, end: now + wait)
        if fault != nil || wait == .zero || minimum <= 0 || fetch.isReady { return fetch.answer(fault) }
        request.reply.connection.isWaiting = true
        fetch.park()
        parked.append(fetch)
    }

    /// Answers fetches whose partitions have new records, and fetches whose wait has ended.
    func answerFetches() {
        if !parked.contains(where: { $0.mayHaveMore || $0.end <= now }) { return }
        parked.removeAll { fetch in
            guard fetch.mayHaveMore || fetch.end <= now else { return false }
            fetch.unpark()
            fetch.answer(nil)
            return true
        }
    }
}
