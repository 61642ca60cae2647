public import IntentModel
public import RecordLog

/// The key of a record of `intents.catalog`.
public enum CatalogueKey: Sendable, Hashable {
    case intent(service: String?, name: Identifier)
    case worker(service: String?, instance: String)

    /// The kind, the service and the name, with slashes between them.
    var text: String {
        switch self {
        case .intent(let service, let name): "intent/\(service ?? ServiceName.ofDefault)/\(name)"
        case .worker(let service, let instance): "worker/\(service ?? ServiceName.ofDefault)/\(instance)"
        }
    }

    public var bytes: Bytes { Bytes(text.utf8) }

    init?(_ bytes: Bytes) {
        guard bytes.count <= 512, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ServiceName.isName(String(parts[1])), !parts[2].isEmpty else { return nil }
        let service = parts[1] == ServiceName.ofDefault ? nil : String(parts[1])
        switch parts[0] {
        case "intent": self = .intent(service: service, name: Identifier(String(parts[2])))
        case "worker": self = .worker(service: service, instance: String(parts[2]))
        default: return nil
        }
    }
}
