import IntentKit

/// Checks of an intent's handlers that are possible before the first request.
extension IntentBinding {
    func check(_ server: any IntentExtension, _ dependencies: AppDependencyManager) throws(IntentRegistryError) {
        try Self.check(server, named: server.typeName, dependencies)
        try Self.check(prototype, named: name, dependencies)
        for child in Mirror(reflecting: prototype).children {
            guard let options = (child.value as? any AnyParameter)?.optionsProvider else { continue }
            try Self.check(options, named: "\(type(of: options))", dependencies)
        }
        for handler in handlers(of: server, dependencies) {
            try Self.check(handler, named: "\(type(of: handler))", dependencies)
            try check(handler)
            // A resolution may read dependencies.
            let problem = AppDependencyManager.$current.withValue(dependencies) { resolutionProblem(of: handler) }
            if let problem { throw problem }
        }
    }

    func hasHandler(_ server: any IntentExtension, _ dependencies: AppDependencyManager) -> Bool {
        performer != nil || !handlers(of: server, dependencies).isEmpty
    }

    /// `true` if the extension, or its app, returns a handler for the intent.
    func hasHandler(_ server: any IntentExtension, inApp: Bool, _ dependencies: AppDependencyManager) -> Bool {
        performer != nil
            || AppDependencyManager.$current.withValue(dependencies) {
                (inApp ? server.application(handlerFor: prototype) : server.handler(for: prototype)) != nil
            }
    }

    private func handlers(of server: any IntentExtension, _ dependencies: AppDependencyManager) -> [any IntentHandler] {
        AppDependencyManager.$current.withValue(dependencies) {
            [server.handler(for: prototype), server.application(handlerFor: prototype)].compactMap { $0 }
        }
    }

    private func check(_ handler: any IntentHandler) throws(IntentRegistryError) {
        func type<Handling: IntentHandling>(of handling: Handling) -> any Intent.Type { Handling.IntentType.self }
        do {
            _ = try handling(by: handler)
        } catch {
            throw IntentRegistryError(.handlerMismatched, error.message)
        }
        guard handler.handlings.count(where: { type(of: $0) == Subject.self }) == 1 else {
            throw IntentRegistryError(
                .handlerMismatched, "\(Swift.type(of: handler)) lists '\(name)' twice among its handlings")
        }
    }

    private func resolutionProblem(of handler: any IntentHandler) -> IntentRegistryError? {
        do throws(IntentRegistryError) {
            for handling in handler.handlings { try checkResolution(of: handling) }
            return nil
        } catch {
            return error
        }
    }

    /// Checks the resolution of a handling. Generic, to open the existential type.
    private func checkResolution<Handling: IntentHandling>(of handling: Handling) throws(IntentRegistryError) {
        guard let binding = self as? IntentBinding<Handling.IntentType> else { return }
        try binding.check(handling.resolution.steps.all, of: "\(Handling.self)")
    }

    /// Checks the rules of a handler's resolution. At run time a wrong rule would be ignored.
    ///
    /// - Throws: An error if a `Resolve` names something that is not a parameter of the intent, has the same parameter
    ///   as another, does not fit its parameter's type, or depends on itself.
    private func check(_ steps: [any ResolutionStep<Subject>], of handler: String) throws(IntentRegistryError) {
        func problem(_ message: String) -> IntentRegistryError {
            IntentRegistryError(.resolutionMismatched, "the resolution of \(handler) \(message)")
        }
        func index(of identity: ObjectIdentifier) throws(IntentRegistryError) -> Int {
            if let index = identities.firstIndex(of: identity) { return index }
            throw problem("names something that is not one of the Parameters of \(name)")
        }
        var dependencies = [[Int]](repeating: [], count: names.count)
        var resolved: Set<Int> = []
        for step in steps {
            let parameter = try index(of: step.identity(in: prototype))
            let parameterName = names[parameter]
            guard resolved.insert(parameter).inserted else { throw problem("has two rules for '\(parameterName)'") }
            guard bindings[parameter].accepts(step) else {
                throw problem(
                    "has a rule for '\(parameterName)' that does not fit its type: 'each:' is for arrays and sets")
            }
            for other in step.dependencies(in: prototype) { dependencies[parameter].append(try index(of: other)) }
        }
        do { _ = try ResolutionRound(dependencies, names: names) } catch {
            throw problem("can't be ordered: \(error.message)")
        }
    }

    /// Finds a `@Dependency` that is not provided, in a value and in the values that it stores.
    private static func check(
        _ value: Any, named name: String, _ dependencies: AppDependencyManager, depth: Int = 0
    ) throws(IntentRegistryError) {
        for child in Mirror(reflecting: value).children {
            if let dependency = child.value as? any AnyDependency {
                if dependency.isProvided(by: dependencies) { continue }
                let property = (child.label ?? "").drop { $0 == "_" }
                let message = "\(name).\(property) needs a dependency \(dependency.dependencyName)"
                throw IntentRegistryError(
                    .dependencyMissing, message + ": add one in your extension's provideDependencies(to:)")
            }
            // Objects are skipped: they are usually dependencies themselves, may be large, and may be in use.
            if depth < 3, Mirror(reflecting: child.value).displayStyle == .struct {
                try check(child.value, named: "\(type(of: child.value))", dependencies, depth: depth + 1)
            }
        }
    }
}
