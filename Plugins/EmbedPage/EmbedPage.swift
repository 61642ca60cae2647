import Foundation
import PackagePlugin

/// Generates a Swift file with the texts of the files that a target serves, so that the program contains them.
/// SwiftPM's own `.embedInCode` generates an array of numbers for each file, which takes the compiler minutes for a few
/// hundred kilobytes. This plugin generates strings.
@main
struct EmbedPage: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) async throws -> [Command] {
        let folder = target.directoryURL.appending(path: "Page")
        let documents = context.package.directoryURL.appending(path: "deploy/contract/asyncapi.json")
        let files =
            try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil).sorted {
                $0.path < $1.path
            } + [
                documents
            ]
        let output = context.pluginWorkDirectoryURL.appending(path: "EmbeddedFiles.swift")
        return [
            .buildCommand(
                displayName: "Embedding \(files.count) files in \(target.name)",
                executable: try context.tool(named: "embed-files").url,
                arguments: [output.path] + files.map(\.path), inputFiles: files, outputFiles: [output])
        ]
    }
}
