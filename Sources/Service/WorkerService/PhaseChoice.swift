import ArgumentParser

/// A value of `--phase`.
enum PhaseChoice: ExpressibleByArgument, Hashable {
    case role(WorkerRole)
    /// The roles of the app's workers that the served intents need.
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
