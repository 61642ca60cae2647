#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension DefinitionFiles {
    /// The definition files of a folder by their names, or the file itself.
    static func files(at path: String) throws(DefinitionError) -> [String] {
        func refuse(_ message: String) -> DefinitionError { DefinitionError([DefinitionProblem(file: path, message: message)]) }
        var isDirectory = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
            throw refuse("there is no such file or folder")
        }
        guard isDirectory else { return [path] }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else { throw refuse("the folder can't be read") }
        let found = names.filter { name in !name.hasPrefix(".") && suffixes.contains { name.hasSuffix($0) } }.sorted()
        if found.isEmpty {
            throw refuse("there is no definition file in this folder: their names end with \(suffixes.joined(separator: ", "))")
        }
        let folder = path.hasSuffix("/") ? path : "\(path)/"
        return found.map { folder + $0 }
    }

    /// A file that a definition file names, relative to it.
    static func contents(of path: String, beside file: String) throws -> [UInt8] {
        let folder = file.lastIndex(of: "/").map { file[...$0] } ?? ""
        return try contents(of: folder + path, atMost: maximumCatalogueBytes)
    }

    static func contents(of path: String, atMost most: Int) throws -> [UInt8] {
        guard FileManager.default.fileExists(atPath: path) else { throw FileProblem(description: "there is no such file") }
        guard let size = try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0 else {
            throw FileProblem(description: "it can't be looked at")
        }
        // A definition file that is too large is told about by its own rule.
        if size > most, most == maximumCatalogueBytes { throw FileProblem(description: "it has \(size) bytes; \(most) are allowed") }
        do { return Array(try Data(contentsOf: URL(fileURLWithPath: path))) } catch {
            throw FileProblem(description: "it is no file, or nobody permits it")
        }
    }

    struct FileProblem: Error, CustomStringConvertible { var description: String }
}
