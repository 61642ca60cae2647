/// Thrown to have the person go on in the app; see ``AppIntent/needsToContinueInForegroundError(_:alwaysConfirm:)``.
public struct ContinueInForegroundError: Error, Sendable {
    let dialog: String?
    let alwaysConfirm: Bool
}
