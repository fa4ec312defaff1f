/** All that is used of the SDK, by name, so that a bundle leaves out the rest. */
export { jsonSchema, simulateStreamingMiddleware, streamText, tool } from 'ai'
