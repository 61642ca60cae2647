import IntentModel

/// A problem in a definition file, its place, and how to fix it.
public struct DefinitionProblem: Sendable, Hashable, CustomStringConvertible {
    /// The name under which the file was read.
    public var file: String
    /// The line, from 1; 0 if the problem concerns the file as a whole.
    public var line: Int
    /// The column, from 1, in Unicode scalars.
    public var column: Int
    /// The field, such as `intents.RequestRide.parameters.seats.range`; empty if the problem concerns the file as a
    /// whole.
    public var path: String
    public var message: String

    public init(file: String, line: Int = 0, column: Int = 0, path: String = "", message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.path = path
        self.message = message
    }

    /// The problem on one line, such as `rides.intents.yaml:14:9: intents.RequestRide.parameters.seats.range: the lower
    /// bound 6 is above the upper bound 1`.
    public var description: String {
        let place = line > 0 ? "\(file):\(line):\(column)" : file
        return (path.isEmpty ? "\(place): \(message)" : "\(place): \(path): \(message)").onOneLine
    }
}

/// All problems of a set of definition files; never empty.
public struct DefinitionError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The problems, in the order of the files and of the lines in each file.
    public var problems: [DefinitionProblem]

    public init(_ problems: [DefinitionProblem]) { self.problems = problems }

    /// One line per problem.
    public var description: String { problems.map(\.description).joined(separator: "\n") }
}
