/// The version of the package: what every program answers to `--version`.
package enum PipelineVersion {
    /// The newest release in CHANGELOG.md; a test compares the two. A release changes both, and is tagged with it.
    package static let current = "0.1.0"

    /// The version of Swift that it was compiled with.
    package static var swift: String {
        #if compiler(>=6.4)
            "6.4"
        #elseif compiler(>=6.3)
            "6.3"
        #else
            "6.2"
        #endif
    }
}
