export { type KeptMemory, keptMemories, planForget } from './kept-memories.js'
export {
  canKeepMemories,
  defaultMemoryNote,
  memoryLine,
  mostCharacters,
  type Remembered,
  rememberedIn,
  withoutMemory,
} from './memory-lines.js'
export { newestWithin } from './newest-within.js'
