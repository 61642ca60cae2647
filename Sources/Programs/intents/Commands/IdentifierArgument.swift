public import ArgumentParser
public import IntentModel

/// Lets an option or argument of a command be an identifier. Any text is an identifier.
extension Identifier: ExpressibleByArgument {
    public init?(argument: String) { self.init(argument) }
}
