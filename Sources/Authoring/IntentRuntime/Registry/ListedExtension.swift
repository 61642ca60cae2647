import IntentKit

/// An extension with its listed handlers, created once.
struct ListedExtension: IntentExtension {
    let base: any IntentExtension
    private let listed: [ObjectIdentifier: any IntentHandling]
    private let listedInApp: [ObjectIdentifier: any IntentHandling]

    /// Creates the handlers that an extension lists.
    ///
    /// - Returns: The extension itself if it lists no handlers.
    /// - Throws: An error if the extension lists two handlers for one intent.
    static func listing(_ base: any IntentExtension, _ dependencies: AppDependencyManager) throws(IntentRegistryError)
        -> any IntentExtension
    {
        let (handlers, appHandlers) = AppDependencyManager.$current.withValue(dependencies) {
            (base.handlers, base.appHandlers)
        }
        if handlers.isEmpty, appHandlers.isEmpty { return base }
        return ListedExtension(
            base: base, listed: try table(handlers, "handlers", of: base),
            listedInApp: try table(appHandlers, "appHandlers", of: base))
    }

    private init(
        base: any IntentExtension, listed: [ObjectIdentifier: any IntentHandling],
        listedInApp: [ObjectIdentifier: any IntentHandling]
    ) {
        (self.base, self.listed, self.listedInApp) = (base, listed, listedInApp)
    }

    private static func table(
        _ handlers: [any IntentHandling], _ name: String, of base: any IntentExtension
    ) throws(IntentRegistryError) -> [ObjectIdentifier: any IntentHandling] {
        var table: [ObjectIdentifier: any IntentHandling] = [:]
        for handler in handlers {
            let intent = handler.intentType
            guard table.updateValue(handler, forKey: ObjectIdentifier(intent)) == nil else {
                throw IntentRegistryError(
                    .handlerMismatched, "\(type(of: base)) lists two handlers for '\(intent.name)' in its \(name)")
            }
        }
        return table
    }

    var intents: [any Intent.Type] { base.intents }

    func handler(for intent: any Intent) -> (any IntentHandler)? {
        listed[ObjectIdentifier(type(of: intent))] ?? base.handler(for: intent)
    }

    func application(handlerFor intent: any Intent) -> (any IntentHandler)? {
        let type = ObjectIdentifier(type(of: intent))
        return listedInApp[type] ?? listed[type] ?? base.application(handlerFor: intent)
    }
}

extension IntentExtension {
    /// The name of the author's type, for messages.
    var typeName: String { "\(type(of: (self as? ListedExtension)?.base ?? self))" }
}
