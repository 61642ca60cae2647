import ArgumentParser
import Foundation
import RDKafkaLog
import RecordLog

/// A file of librdkafka properties that `--kafka-config` names.
package struct PropertiesFile {
    let text: String
    package let properties: [String: String]
    /// The warning that other users can read secrets, with advice; `nil` if the file has no secrets, or no one else can
    /// read them.
    package let warning: String?

    /// Reads the file, which may also be a pipe.
    ///
    /// - Throws: A `ValidationError` that names the file and the problem.
    package init(_ path: String) throws {
        guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.readToEnd() ?? Data(),
            let text = String(validating: data, as: UTF8.self)
        else { throw ValidationError("The file '\(path)' is not readable text.") }
        self.text = text
        do { properties = try KafkaConfiguration.properties(parsing: text) } catch {
            throw ValidationError("The file '\(path)': \(error.message).")
        }
        let secrets = properties.keys.filter(KafkaConfiguration.isSecret).sorted()
        if let secret = secrets.first, Self.isOpenToOthers(handle) {
            warning = "other users can read '\(path)', which has \(secret): run 'chmod 600 \(path)'"
        } else {
            warning = nil
        }
    }

    /// `true` if other users can read the file. The group may read a file that belongs to another user than this
    /// process's: this is how a service gets a file that it can't change.
    static func isOpenToOthers(_ handle: FileHandle) -> Bool {
        var status = stat()
        guard fstat(handle.fileDescriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return status.st_mode & S_IROTH != 0 || (status.st_mode & S_IRGRP != 0 && status.st_uid == geteuid())
    }

    func copy(to path: String) throws { try Self.write(text, to: path) }

    /// Writes a text to a new file that only this user can read.
    package static func write(_ text: String, to path: String) throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        guard descriptor >= 0 else {
            throw ValidationError("'\(path)' can't be written: \(String(cString: strerror(errno))).")
        }
        try FileHandle(fileDescriptor: descriptor, closeOnDealloc: true).write(contentsOf: Data(text.utf8))
    }
}
