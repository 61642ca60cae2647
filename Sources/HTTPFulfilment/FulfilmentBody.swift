import IntentModel
import IntentRuntime
import MessageAuthentication

/// What is posted.
extension FulfilmentCall {
    /// - Parameters:
    ///   - parameter: resolve: the parameter that it is about.
    ///   - callback: handle: where a later answer goes.
    func body(parameter: String?, callback: String?) -> [UInt8] {
        var writer = JSONWriter(reserving: 512)
        writer.beginObject()
        writer.member("phase", phase.rawValue)
        writer.member("intent", intent)
        writer.member("session", context.session)
        writer.member("request", context.request)
        writer.member("attempt", context.attempt)
        writer.member("idempotencyKey", context.idempotencyKey)
        writer.member("locale", ifPresent: context.locale)
        if !context.attributes.isEmpty { writer.members("attributes", context.attributes) }
        if !context.memory.isEmpty { writer.members("memory", context.memory) }
        writer.member("deadline", ifPresent: context.deadline.map(Timestamp.format))
        writer.members("parameters", parameters)
        writer.member("summary", ifPresent: summary)
        writer.member("parameter", ifPresent: parameter)
        if let callback {
            writer.name("callback")
            writer.beginObject()
            writer.member("url", callback)
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }

    /// Of handle it is the request's own key. The other phases may be asked again with other values, and what keeps answers by key must not take one
    /// for the other: theirs also has the phase and a digest of what they are about.
    func idempotencyHeader(parameter: String?) -> String? {
        if context.idempotencyKey.isEmpty { return nil }
        let key = HeaderRules.printable(context.idempotencyKey)
        if phase == .handle { return key }
        var writer = JSONWriter()
        writer.beginArray()
        writer.string(parameter ?? "")
        writer.beginObject()
        writer.members("parameters", parameters)
        writer.endObject()
        writer.endArray()
        let digest = SHA256.hash(writer.bytes).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return "\(key).\(phase.rawValue).\(String(digest, radix: 16))"
    }
}

extension JSONWriter {
    /// An object whose members stand in the order of their names, so that a repeat is the same to the byte.
    fileprivate mutating func members(_ name: StaticString, _ members: [String: JSON]) {
        self.name(name)
        beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { member(named: name, value) }
        endObject()
    }
}
