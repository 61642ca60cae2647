import IntentKit

/// Whose workout it is: the person that the session's attribute `person` names, else the session itself.
struct Athlete: Sendable {
    let key: String

    init(_ context: Context) { key = context.attributes["person"]?.view.string ?? context.session }
}
