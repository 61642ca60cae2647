import IntentKit

/// Writes the services of the dataset as definition files.
///
/// Required slots become required parameters, optional slots optional ones, and possible values options. The person and
/// the service confirm a transactional intent. Defaults apply only to transactional intents. The item that was chosen
/// in an earlier search fills their required slots, but not their optional slots: a hotel with two free rooms does not
/// mean that the person wants two.
///
/// With `remembersAll` the session remembers the value of every slot of a service, so that later requests of the same
/// kind can leave it out.
struct SchemaDefinitions: Sendable {
    let services: Services
    var remembersAll = false
    /// The URL of the replay's services.
    let url: String

    /// The name and contents of each file.
    var files: [(name: String, text: String)] {
        services.all.map { service in
            ("\(service.name).intents.json", Self.file(service, url: url, remembersAll).indented + "\n")
        }
    }

    private static func file(_ service: ServiceSchema, url: String, _ remembersAll: Bool) -> JSON {
        JSON.make { writer in
            writer.beginObject()
            writer.member("version", 1)
            writer.member("domain", service.name)
            writer.name("fulfilment")
            writer.beginObject()
            writer.member("url", url)
            writer.member("timeout", "30s")
            writer.endObject()
            writer.name("intents")
            writer.beginObject()
            for intent in service.intents {
                writer.name(named: Services.intent(intent.name, of: service.name))
                writer.intent(intent, of: service, remembersAll)
            }
            writer.endObject()
            writer.endObject()
        }
    }
}

extension JSONWriter {
    fileprivate mutating func intent(_ intent: ServiceSchema.Intent, of service: ServiceSchema, _ remembersAll: Bool) {
        beginObject()
        member("title", intent.description)
        if intent.isTransactional { member("confirmation", "always") }
        name("parameters")
        beginObject()
        for slot in intent.parameters {
            name(named: slot)
            parameter(slot, of: intent, service, remembersAll)
        }
        endObject()
        if !intent.isTransactional {
            name("items")
            beginObject()
            name("choice")
            beginObject()
            name("remembers")
            beginObject()
            for slot in Set(service.intents.filter(\.isTransactional).flatMap(\.required)).sorted() {
                member(named: Services.memoryKey(slot, of: service.name), .string(slot))
            }
            endObject()
            endObject()
            endObject()
        }
        name("fulfilment")
        beginObject()
        member("phases", .array((intent.isTransactional ? ["confirm", "handle"] : ["handle"]).map { .string($0) }))
        endObject()
        endObject()
    }

    private mutating func parameter(
        _ name: String, of intent: ServiceSchema.Intent, _ service: ServiceSchema, _ remembersAll: Bool
    ) {
        let slot = service.slot(name)
        beginObject()
        member("type", "string")
        member("title", name.split(separator: "_").joined(separator: " "))
        member("description", ifPresent: slot?.description)
        if let slot, slot.isCategorical, !slot.possibleValues.isEmpty {
            member("options", .array(slot.possibleValues.map { .string($0) }))
        }
        let isRemembered = remembersAll || (intent.isTransactional && intent.required.contains(name))
        var defaults: [JSON] = isRemembered ? [.string("remembered")] : []
        if intent.isTransactional, let value = intent.optional[name], value != ServiceSchema.dontCare {
            defaults.append(.object(["constant": .string(value)]))
        }
        if isRemembered {
            member("memory", .object(["session": .string(Services.memoryKey(name, of: service.name, for: intent))]))
        }
        if let first = defaults.first { member("default", defaults.count == 1 ? first : .array(defaults)) }
        if intent.optional[name] != nil {
            member("required", false)
            member("none", .array([.string(ServiceSchema.dontCare)]))
        }
        endObject()
    }
}
