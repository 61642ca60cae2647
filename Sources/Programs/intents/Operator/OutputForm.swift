import ArgumentParser

/// How a command shows data.
enum OutputForm: String, ExpressibleByArgument, CaseIterable {
    /// For people: one line per entry, its fields separated by tabs.
    case text
    /// One JSON object per line.
    case json
}
