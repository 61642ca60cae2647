public import IntentRuntime

/// An intent of a definition file.
public struct FileIntent: Sendable, Equatable {
    /// Without anybody who fulfils it.
    public var declaration: IntentDeclaration
    /// `nil` if the file does not say who does it.
    public var fulfilment: FulfilmentDeclaration?

    public init(declaration: IntentDeclaration, fulfilment: FulfilmentDeclaration? = nil) {
        self.declaration = declaration
        self.fulfilment = fulfilment
    }

    public var name: String { declaration.name }
}
