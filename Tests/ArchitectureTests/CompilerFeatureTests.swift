import Testing

// A feature whose name is misspelled in the manifest is enabled nowhere, and nobody hears of it: here it does not compile.
#if !hasFeature(ExistentialAny)
    #error("ExistentialAny is not enabled")
#endif
#if !hasFeature(InternalImportsByDefault)
    #error("InternalImportsByDefault is not enabled")
#endif
#if !hasFeature(MemberImportVisibility)
    #error("MemberImportVisibility is not enabled")
#endif
#if !hasFeature(NonisolatedNonsendingByDefault)
    #error("NonisolatedNonsendingByDefault is not enabled")
#endif

@Suite("Compiler settings")
struct CompilerFeatureTests {
    /// Those that this file is checked by above: add a new one in both places.
    static let features: Set<String> = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    ]

    @Test("every Swift target has the same upcoming features, and all of them exist")
    func same() throws {
        for target in try Codebase.shared.get().package.targets where target.type != "system" && target.type != "system-target" {
            #expect(Set(target.settings.compactMap(\.upcomingFeature)) == Self.features, "\(target.name)")
        }
    }
}
