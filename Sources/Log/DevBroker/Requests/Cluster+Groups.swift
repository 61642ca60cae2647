extension Cluster {
    private func group(_ id: String) -> Group {
        if let group = groups[id] { return group }
        let group = Group(id)
        groups[id] = group
        return group
    }

    func findCoordinator(_ request: consuming Request) throws(MalformedRequest) {
        let fault = request.fault
        let version = request.reply.version
        request.reply.send { response in
            if version >= 1 { response.write(Int32(0)) }
            response.write(fault)
            if version >= 1 { response.write(nil as String?) }
            writeNode(&response)
        }
    }

    func join(_ request: consuming Request) throws(MalformedRequest) {
        let reply = request.reply
        let id = try request.reader.string()
        let sessionTimeout = Duration.milliseconds(try request.reader.integer(Int32.self))
        let rebalanceTimeout =
            reply.version >= 1 ? Duration.milliseconds(try request.reader.integer(Int32.self)) : sessionTimeout
        let member = try request.reader.string()
        let instance = reply.version >= 5 ? try request.reader.nullableString() : nil
        let protocolType = try request.reader.string()
        let protocols = try request.reader.array { reader throws(MalformedRequest) in
            GroupMember.SupportedProtocol(name: try reader.string(), metadata: [UInt8](try reader.byteArray()))
        }
        if let fault = request.fault { return reply.joinRefused(fault, member: member) }
        reply.connection.isWaiting = true
        group(id).join(
            JoinRequest(
                member: member, instance: instance, clientID: request.clientID, protocolType: protocolType,
                protocols: protocols,
                sessionTimeout: sessionTimeout, rebalanceTimeout: rebalanceTimeout, needsID: reply.version >= 4),
            reply, at: now)
    }

    func sync(_ request: consuming Request) throws(MalformedRequest) {
        let reply = request.reply
        let id = try request.reader.string()
        let generation: Int32 = try request.reader.integer()
        let member = try request.reader.string()
        let instance = reply.version >= 3 ? try request.reader.nullableString() : nil
        let assignments = try request.reader.array { reader throws(MalformedRequest) in
            (try reader.string(), [UInt8](try reader.byteArray()))
        }
        if let fault = request.fault { return reply.synced(fault, []) }
        reply.connection.isWaiting = true
        group(id).sync(member, instance, generation, assignments, reply, at: now)
    }

    func heartbeat(_ request: consuming Request) throws(MalformedRequest) {
        let version = request.reply.version
        let id = try request.reader.string()
        let generation: Int32 = try request.reader.integer()
        let member = try request.reader.string()
        let instance = version >= 3 ? try request.reader.nullableString() : nil
        let fault = request.fault ?? group(id).heartbeat(member, instance, generation, at: now)
        request.reply.send { response in
            if version >= 1 { response.write(Int32(0)) }
            response.write(fault)
        }
    }

    func leave(_ request: consuming Request) throws(MalformedRequest) {
        let version = request.reply.version
        let id = try request.reader.string()
        let member = try request.reader.string()
        let fault = request.fault ?? group(id).leave(member, at: now)
        request.reply.send { response in
            if version >= 1 { response.write(Int32(0)) }
            response.write(fault)
        }
    }

    // MARK: Positions

    func commit(_ request: consuming Request) throws(MalformedRequest) {
        let version = request.reply.version
        let group = group(try request.reader.string())
        let generation: Int32 = try request.reader.integer()
        let member = try request.reader.string()
        let instance = version >= 7 ? try request.reader.nullableString() : nil
        // The retention time is ignored: positions are kept forever.
        if version <= 4 { _ = try request.reader.integer(Int64.self) }
        let topics = try request.reader.array { reader throws(MalformedRequest) in
            let name = try reader.string()
            let positions = try reader.array { reader throws(MalformedRequest) in
                let number: Int32 = try reader.integer()
                let offset: Int64 = try reader.integer()
                if version >= 6 { _ = try reader.integer(Int32.self) }
                return (number, GroupOffset(offset: offset, metadata: try reader.nullableString()))
            }
            return (name, positions)
        }
        let fault = request.fault ?? group.commitFault(member, instance, generation, at: now)
        if fault == nil {
            for (topic, positions) in topics {
                for (number, offset) in positions { group.offsets[topic, default: [:]][number] = offset }
            }
        }
        request.reply.send { response in
            if version >= 3 { response.write(Int32(0)) }
            response.write(topics) { response, topic in
                response.write(topic.0)
                response.write(topic.1) { response, position in
                    response.write(position.0)
                    response.write(fault)
                }
            }
        }
    }

    func committed(_ request: consuming Request) throws(MalformedRequest) {
        let (version, fault) = (request.reply.version, request.fault)
        let group = group(try request.reader.string())
        let wanted = try request.reader.nullableArray { reader throws(MalformedRequest) in
            let name = try reader.string()
            return (name, try reader.array { reader throws(MalformedRequest) in try reader.integer(Int32.self) })
        }
        let topics = wanted ?? group.offsets.map { ($0.key, $0.value.keys.sorted()) }
        request.reply.send { response in
            if version >= 3 { response.write(Int32(0)) }
            response.write(topics) { response, topic in
                response.write(topic.0)
                response.write(topic.1) { response, number in
                    let position = fault == nil ? group.offsets[topic.0]?[number] : nil
                    response.write(number)
                    response.write(position?.offset ?? -1)
                    if version >= 5 { response.write(Int32(-1)) }
                    response.write(position?.metadata ?? "")
                    response.write(fault)
                }
            }
            if version >= 2 { response.write(fault) }
        }
    }
}
