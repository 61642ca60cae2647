#if Macros
    import IntentKit

    /// Writes an intent's `parameters` and `init()`, and its conformance to `Intent` if the type does not say one.
    ///
    /// ```swift
    /// @Intent struct RequestRide {
    ///     static let title: LocalizedText = "Request a ride"
    ///
    ///     @Parameter(title: "Drop-off") var dropOff: Place
    ///     @Parameter(title: "Riders", .inclusiveRange(1...6)) var partySize: Int = 1
    /// }
    /// ```
    /// is the same as
    /// ```swift
    /// struct RequestRide: Intent {
    ///     …
    ///     static let parameters = Parameters<Self>(\.$dropOff, \.$partySize)
    ///     init() {}
    /// }
    /// ```
    /// The parameters are in the order in which they are declared; declare `parameters` yourself for another order, and the macro leaves it out. The same holds for `init()`.
    /// Both are as accessible as the type. An intent that performs itself says so: `@Intent struct CountSheep: AppIntent`.
    ///
    /// It is in a product of its own, behind the package trait `Macros`, because it needs swift-syntax, which takes a minute or two to build:
    /// `.package(url: …, traits: ["Macros"])`.
    @attached(member, names: named(parameters), named(init))
    @attached(extension, conformances: Intent)
    public macro Intent() = #externalMacro(module: "IntentMacrosPlugin", type: "IntentMacro")
#endif
