import { inputSchema, type JsonSchema, type Tool } from '../../tools/index.js'

/** A tool as a model hears of it; `brief`, where there is little room: what it does, and the arguments that matter. */
export function offeredTool(tool: Tool, brief: boolean) {
  const { name, description } = tool
  if (!brief) return { name, description, inputSchema: inputSchema(tool) }
  return { name, description: firstSentence(description), inputSchema: briefSchema(tool) }
}

const firstSentence = (text: string): string => /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text

function briefSchema(tool: Tool): JsonSchema {
  const schema = inputSchema(tool)
  const { properties } = schema
  if (tool.inBrief === undefined || typeof properties !== 'object' || properties === null) return schema
  const kept = Object.entries(properties).filter(([name]) => tool.inBrief?.includes(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}
