// What a host without Node takes to use servers at an address.
export { connectServer, httpTransport, memorySeenTools, toolServers } from '../../src/core/mcp/index.js'
export { registry } from '../../src/core/tools/index.js'
