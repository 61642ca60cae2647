public import ArgumentParser
public import IntentModel

/// Lets options and arguments of commands have the type `Identifier`. Any text is an identifier.
extension Identifier: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
