/// The version of the package, which every program prints for `--version`.
package enum PipelineVersion {
    /// The newest release in CHANGELOG.md; a test compares the two. A release changes both, and its tag is the version.
    package static let current = "0.1.0"

    /// The version of Swift that compiled the package.
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
