#if Macros
    import IntentKit

    /// Generates the `parameters` and the `init()` of an intent, and its conformance to `Intent` if the type does not
    /// declare one.
    ///
    /// ```swift
    /// @Intent struct RequestRide {
    ///     static let title: LocalizedText = "Request a ride"
    ///
    ///     @Parameter(title: "Drop-off") var dropOff: Place
    ///     @Parameter(title: "People", .inclusiveRange(1...6)) var partySize: Int = 1
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
    /// The parameters are in the order of their declaration. To use another order, declare `parameters` yourself; the
    /// macro then omits it. The macro likewise omits `init()` if you declare it. Both have the access level of the
    /// type. An intent that performs itself declares its conformance: `@Intent struct CountSheep: AppIntent`.
    ///
    /// The macro is in a product of its own, behind the package trait `Macros`, because it needs swift-syntax, which
    /// takes a minute or two to build: `.package(url: …, traits: ["Macros"])`.
    @attached(member, names: named(parameters), named(init))
    @attached(extension, conformances: Intent)
    public macro Intent() = #externalMacro(module: "IntentMacrosPlugin", type: "IntentMacro")
#endif
