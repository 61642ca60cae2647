/// The version of the package: what every program answers to `--version`.
package enum PipelineVersion {
    /// The newest release in CHANGELOG.md; a test compares the two. A release changes both, and is tagged with it.
    package static let current = "0.1.0"
}
