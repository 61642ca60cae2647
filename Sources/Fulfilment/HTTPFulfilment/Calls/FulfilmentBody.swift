import IntentModel
import IntentRuntime
import MessageAuthentication

/// The body and the idempotency key of a posted request.
extension FulfilmentCall {
    /// Returns the JSON body.
    ///
    /// - Parameters:
    ///   - parameter: For resolve, the parameter to resolve.
    ///   - callback: For handle, the URL for a deferred outcome.
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
        writer.member("timeZone", ifPresent: context.timeZone)
        writer.member("now", ifPresent: context.now.map(Timestamp.format))
        if !context.attributes.isEmpty { writer.members("attributes", context.attributes) }
        if let principal = context.principal {
            writer.name("principal")
            writer.beginObject()
            writer.member("type", principal.kind.rawValue)
            writer.member("id", principal.id)
            writer.endObject()
        }
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

    /// Returns the value of `Idempotency-Key`; `nil` if the request has no key.
    ///
    /// For handle, the value is the key of the request. The other phases may be called again with other values, and a
    /// service that caches replies by key must not confuse them. Their values therefore also contain the phase and a
    /// digest of the parameters.
    func idempotencyHeader(parameter: String?) -> String? {
        if context.idempotencyKey.isEmpty { return nil }
        let key = HeaderRules.printable(context.idempotencyKey.text)
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
    /// Writes an object with its members sorted by name, so that a repeated request has the same bytes.
    fileprivate mutating func members(_ name: StaticString, _ members: [String: JSON]) {
        self.name(name)
        beginObject()
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { member(named: name, value) }
        endObject()
    }
}
