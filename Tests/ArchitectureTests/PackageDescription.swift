import Foundation

/// The package as `swift package dump-package` prints it.
struct PackageDescription: Decodable {
    var targets: [Target]
    var products: [Product]

    struct Target: Decodable {
        var name: String
        var type: String
        var path: String?
        var dependencies: [Dependency]
        var settings: [Setting]

        /// The folder of the target's sources, relative to the package's root.
        var folder: String { path ?? "\(type == "test" ? "Tests" : "Sources")/\(name)" }
        /// The module name that an import uses.
        var moduleName: String { name.replacing("-", with: "_") }
        var isExecutable: Bool { type == "executable" }
        var isTest: Bool { type == "test" }
    }

    struct Dependency: Decodable {
        /// `byName`, `target` or `product`.
        var kind: String
        var name: String

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            guard let key = container.allKeys.first else { throw CocoaError(.coderReadCorrupt) }
            kind = key.stringValue
            var content = try container.nestedUnkeyedContainer(forKey: key)
            name = try content.decode(String.self)
        }
    }

    struct Product: Decodable {
        var name: String
        var targets: [String]
        var isLibrary: Bool

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: AnyKey.self)
            name = try container.decode(String.self, forKey: AnyKey("name"))
            targets = try container.decode([String].self, forKey: AnyKey("targets"))
            isLibrary = try container.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("type")).contains(
                AnyKey("library"))
        }
    }

    struct Setting: Decodable {
        /// The upcoming feature that the setting enables; `nil` for other settings.
        var upcomingFeature: String?

        init(from decoder: any Decoder) throws {
            let kind = try decoder.container(keyedBy: AnyKey.self).nestedContainer(
                keyedBy: AnyKey.self, forKey: AnyKey("kind"))
            upcomingFeature = try kind.decodeIfPresent([String: String].self, forKey: AnyKey("enableUpcomingFeature"))?[
                "_0"]
        }
    }

    private struct AnyKey: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }

        init(_ name: String) { stringValue = name }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    /// Runs the command in a separate scratch directory, so that it does not wait for a build.
    static func dump() throws -> PackageDescription {
        let scratch = FileManager.default.temporaryDirectory.appending(path: "architecture-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: scratch) }
        let (data, _) = try Command.run([
            "swift", "package", "--package-path", root.path, "--scratch-path", scratch.path, "--disable-sandbox",
            "dump-package",
        ])
        return try JSONDecoder().decode(PackageDescription.self, from: data)
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
}
