export { dialectMemory } from './dialect-memory.js'
export { installedModels } from './installed-models.js'
export { nearModels } from './near-models.js'
export { type ModelSurroundings, openAgentModel, openClientModel } from './open-agent-model.js'
