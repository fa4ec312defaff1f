// The exports that a host without Node needs to use servers at an address.
export { connectServer, httpTransport, toolServers } from '../../src/core/mcp/index.js'
export { registry } from '../../src/core/tools/index.js'
export { memoryReviewedTools } from '../doubles/memory-reviewed-tools.js'
