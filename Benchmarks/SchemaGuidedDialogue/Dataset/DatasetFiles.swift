import ArgumentParser
import Foundation

/// The files of the dataset, plain or compressed with gzip.
enum DatasetFiles {
    static func services(_ path: String) throws -> Services {
        do {
            return Services(try JSONDecoder().decode([ServiceSchema].self, from: try read(path)))
        } catch let error as DecodingError {
            throw ValidationError("'\(path)' is not a schema of the Schema-Guided Dialogue dataset: \(words(error)).")
        }
    }

    /// - Parameter limit: The maximum number of dialogues to read, from the start of the file; `nil` reads all.
    static func dialogues(_ path: String, limit: Int?) throws -> [Dialogue] {
        let decoder = JSONDecoder()
        // Keep empty lines, so that errors give the right line number.
        let lines = try read(path).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
        return try lines.filter { !$0.element.isEmpty }.prefix(limit ?? .max).map { number, line in
            do {
                return try decoder.decode(Dialogue.self, from: line)
            } catch let error as DecodingError {
                throw ValidationError("'\(path)', line \(number + 1), is not a dialogue: \(words(error)).")
            }
        }
    }

    private static func read(_ path: String) throws -> Data {
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw ValidationError("The file '\(path)' can't be read.")
        }
        guard path.hasSuffix(".gz") else { return try Data(contentsOf: URL(fileURLWithPath: path)) }
        let gzip = Process()
        gzip.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-dc", path]
        let output = Pipe()
        gzip.standardOutput = output
        try gzip.run()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        gzip.waitUntilExit()
        guard gzip.terminationStatus == 0 else {
            throw ValidationError(
                "'\(path)' could not be decompressed: gzip exited with status \(gzip.terminationStatus).")
        }
        return data
    }

    private static func words(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? context.debugDescription : "\(path): \(context.debugDescription)"
        }
        return switch error {
        case .keyNotFound(let key, let context): "\(key.stringValue) is missing (\(place(context)))"
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context): place(context)
        @unknown default: "\(error)"
        }
    }
}
