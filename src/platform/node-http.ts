// Importing names from node:http makes Node look at all of them, and so load what it has for fetch and WebSocket: 65 ms of
// CPU time at every start.
const { createServer, request, STATUS_CODES } = process.getBuiltinModule('node:http')

export { createServer, request, STATUS_CODES }
