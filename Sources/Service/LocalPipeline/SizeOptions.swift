package import ArgumentParser

/// The size of a pipeline of child processes.
package struct SizeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Coordinator processes.", valueName: "count")) package var coordinators = 1
    @Option(help: ArgumentHelp("Resolver processes; 0 if you run your own.", valueName: "count")) package
        var resolvers = 1
    @Option(help: ArgumentHelp("Confirmer processes; 0 if you run your own.", valueName: "count")) package
        var confirmers = 1
    @Option(help: ArgumentHelp("Handler processes; 0 if you run your own.", valueName: "count")) package var handlers =
        1
    @Option(help: ArgumentHelp("Partitions of every topic.", valueName: "count")) package var partitions: Int32 = 4

    package init() {}

    package func validate() throws {
        for (name, count) in [("coordinators", coordinators), ("partitions", Int(partitions))]
        where count < 1 || count > 64 {
            throw ValidationError("--\(name) must be from 1 to 64.")
        }
        // With 0, workers that were started elsewhere perform that phase.
        for (name, count) in [("resolvers", resolvers), ("confirmers", confirmers), ("handlers", handlers)]
        where count < 0 || count > 64 {
            throw ValidationError("--\(name) must be from 0 to 64.")
        }
    }

    package var size: DevelopmentPipeline.Size {
        .init(
            coordinators: coordinators, resolvers: resolvers, confirmers: confirmers, handlers: handlers,
            partitions: partitions)
    }
}
