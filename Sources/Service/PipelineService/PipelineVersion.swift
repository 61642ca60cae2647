#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The version of the package, which every program prints for `--version`.
package enum PipelineVersion {
    /// The newest release in CHANGELOG.md; a test compares the two. A release changes both, and its tag is the version.
    package static let current = "0.1.0"

    /// The version with the memory allocator of this process, such as `0.1.0 (jemalloc 5.3.0)`. The loader decides which allocator a program gets (`LD_PRELOAD`), so
    /// the process itself is asked.
    package static var text: String { "\(current) (\(allocator))" }

    private static var allocator: String {
        if let address = dlsym(nil, "mallctl") {
            typealias Control =
                @convention(c) (
                    UnsafePointer<CChar>, UnsafeMutableRawPointer?, UnsafeMutablePointer<Int>?,
                    UnsafeMutableRawPointer?, Int
                ) -> Int32
            var version: UnsafePointer<CChar>?
            var size = MemoryLayout.size(ofValue: version)
            // The version ends with the commit: 5.3.0-0-g54eaed1d….
            if unsafeBitCast(address, to: Control.self)("version", &version, &size, nil, 0) == 0, let version {
                return "jemalloc \(String(cString: version).prefix { $0 != "-" })"
            }
        }
        if let address = dlsym(nil, "gnu_get_libc_version") {
            typealias Version = @convention(c) () -> UnsafePointer<CChar>
            return "glibc \(String(cString: unsafeBitCast(address, to: Version.self)()))"
        }
        return "the system's malloc"
    }

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
