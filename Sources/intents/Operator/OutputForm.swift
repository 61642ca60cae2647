import ArgumentParser

/// How a command shows data.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
    /// For people: a line each, its parts separated by tabs.
    case text
    /// A JSON object a line.
    case json
}
