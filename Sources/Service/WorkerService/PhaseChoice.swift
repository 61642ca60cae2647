import ArgumentParser

/// What `--phase` can name.
enum PhaseChoice: ExpressibleByArgument, Hashable {
    case role(WorkerRole)
    /// What the app's workers have to do for the intents that are served.
    case inApp

    init?(argument: String) {
        if argument == "in-app" {
            self = .inApp
        } else if let role = WorkerRole(rawValue: argument) {
            self = .role(role)
        } else {
            return nil
        }
    }

    static var allValueStrings: [String] { WorkerRole.allCases.map(\.rawValue) + ["in-app"] }
}
