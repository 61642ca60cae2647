import Foundation
import Testing

/// Checks the folders of the package's targets, and the dependencies between them.
@Suite("The rings of the package") struct RingTests {
    /// The rings, from the innermost to the outermost.
    private static let rings = [
        "Sources/Authoring", "Sources/Conversation", "Sources/Log", "Sources/Wire", "Sources/Pipeline",
        "Sources/Service", "Sources/Fulfilment", "Sources/Console", "Sources/Testing", "Examples", "Benchmarks",
        "Sources/Programs",
    ]

    private let package: PackageDescription

    init() throws { package = try Codebase.shared.get().package }

    /// The ring of a target; `nil` for tests, and for targets that builds need.
    private func ring(_ target: PackageDescription.Target) -> Int? {
        Self.rings.firstIndex { target.folder == $0 || target.folder.hasPrefix($0 + "/") }
    }

    private var targets: [PackageDescription.Target] { package.targets.filter { !$0.isTest } }

    @Test func `every target is in a ring, except tests and build tools`() {
        let others = targets.filter {
            ring($0) == nil && !$0.folder.hasPrefix("Tests/") && !$0.folder.hasPrefix("Plugins/")
        }.map(\.name)
        #expect(others.isEmpty)
    }

    @Test func `a target depends on targets of its own ring and of earlier ones`() throws {
        for target in targets {
            guard let ring = ring(target) else { continue }
            for dependency in target.dependencies where dependency.kind != "product" {
                guard let other = package.targets.first(where: { $0.name == dependency.name }),
                    let outer = self.ring(other)
                else { continue }
                #expect(outer <= ring, "\(target.name) in \(Self.rings[ring]) depends on \(other.name)")
            }
        }
    }

    /// The rings that each ring depends on, without rings that it reaches through another one.
    private func arrows() -> [(from: Int, to: Int)] {
        var direct: [Int: Set<Int>] = [:]
        for target in targets {
            guard let ring = ring(target) else { continue }
            let used = target.dependencies.compactMap { dependency in
                package.targets.first { $0.name == dependency.name }.flatMap(self.ring)
            }
            direct[ring, default: []].formUnion(used.filter { $0 != ring })
        }
        func reached(from ring: Int) -> Set<Int> {
            (direct[ring] ?? []).reduce(into: []) { found, next in found.formUnion(reached(from: next).union([next])) }
        }
        return Self.rings.indices.flatMap { ring in
            let used = direct[ring] ?? []
            let indirect = used.reduce(into: Set<Int>()) { found, next in found.formUnion(reached(from: next)) }
            return used.subtracting(indirect).sorted().map { (ring, $0) }
        }
    }

    @Test func `the rings in ARCHITECTURE.md are those of the package`() throws {
        let names = Self.rings.map { $0.split(separator: "/").last.map(String.init) ?? $0 }
        let diagram =
            "```mermaid\nflowchart LR\n" + arrows().map { "    \(names[$0.from]) --> \(names[$0.to])\n" }.joined()
            + "```\n"
        let text = try Repository.shared.get().text(of: "ARCHITECTURE.md")
        #expect(text.contains(diagram), "ARCHITECTURE.md has to show this:\n\(diagram)")
    }
}
