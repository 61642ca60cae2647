/// The methods that clients call, in any version of the protocol.
package enum MCPMethod: String, Sendable, CaseIterable {
    case initialize
    case ping
    case discover = "server/discover"
    case listTools = "tools/list"
    case callTool = "tools/call"
    case getTask = "tasks/get"
    case updateTask = "tasks/update"
    case cancelTask = "tasks/cancel"
    case listen = "subscriptions/listen"
}
