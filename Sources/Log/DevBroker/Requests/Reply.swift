/// The destination of a response that is written later.
struct Reply {
    let connection: Connection
    let correlation: Int32
    let version: Int16
    /// The time of the request, if the response is delayed by the round-trip time.
    let delayedFrom: ContinuousClock.Instant?

    /// Writes the response, and resumes serving the connection.
    func send(_ body: (inout ResponseBuffer) -> Void) {
        connection.isWaiting = false
        connection.respond(correlation, delayedFrom: delayedFrom, body)
    }

    // MARK: Groups

    func joined(_ group: Group, _ member: GroupMember) {
        let members = member.id == group.leader ? group.members : []
        writeJoin(nil, group.generation, group.protocolName, group.leader, member.id, members)
    }

    func joinRefused(_ fault: DevelopmentBroker.Fault, member: String) {
        writeJoin(fault, -1, "", "", member, [])
    }

    private func writeJoin(
        _ fault: DevelopmentBroker.Fault?, _ generation: Int32, _ protocolName: String, _ leader: String, _ id: String,
        _ members: [GroupMember]
    ) {
        send { response in
            if version >= 2 { response.write(Int32(0)) }
            response.write(fault)
            response.write(generation)
            response.write(protocolName)
            response.write(leader)
            response.write(id)
            response.write(members) { response, member in
                response.write(member.id)
                if version >= 5 { response.write(member.instance) }
                response.write(bytes: member.metadata(protocolName))
            }
        }
    }

    func synced(_ fault: DevelopmentBroker.Fault?, _ assignment: [UInt8]) {
        send { response in
            if version >= 1 { response.write(Int32(0)) }
            response.write(fault)
            response.write(bytes: assignment)
        }
    }
}
