import { fileTools } from './file/index.js'
import { guideTools } from './guides/index.js'
import { mediaTools } from './media/index.js'
import { searchTools } from './search/index.js'
import { timeTools } from './time/index.js'
import type { Tool } from './tool.js'

/** Every tool of the house, in the order it is offered. Agent, MCP server, settings and docs read this list. */
export const builtInTools: readonly Tool[] = [...searchTools, ...fileTools, ...timeTools, ...guideTools, ...mediaTools]
