#if Macros
    import SwiftCompilerPlugin
    import SwiftSyntaxMacros

    @main
    struct Plugin: CompilerPlugin {
        let providingMacros: [any Macro.Type] = [IntentMacro.self]
    }
#else
    /// Without the trait `Macros` the plugin is an empty program, so that a build needs no swift-syntax.
    @main
    enum EmptyPlugin {
        static func main() {}
    }
#endif
