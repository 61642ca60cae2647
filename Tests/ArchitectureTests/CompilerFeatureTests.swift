import Testing

// A misspelled feature name in the manifest is ignored silently. The checks below then fail to compile.
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

@Suite("Compiler settings") struct CompilerFeatureTests {
    /// The features checked at the top of this file. Add a new one in both places.
    static let features: Set<String> = [
        "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
    ]

    @Test func `every Swift target has the same upcoming features, and all of them exist`() throws {
        // SwiftPM compiles plugins with its own settings, because they run during a build.
        for target in try Codebase.shared.get().package.targets
        where !["system", "system-target", "plugin"].contains(target.type) {
            #expect(Set(target.upcomingFeatures) == Self.features, "\(target.name)")
        }
    }
}
