/** A JSON Schema, as far as reading a call needs it. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What a reader must know about a tool that may be called. */
export interface ReaderTool {
  name: string
  /** JSON Schema of the arguments object. */
  inputSchema: JsonSchema
  /** Other names it answers to. A call keeps the name it was made with. */
  aliases?: readonly string[]
}

export interface ToolName {
  /** As declared. */
  name: string
  inputSchema: JsonSchema
}

/** Finds a tool by the name a model wrote: exactly, else the only one that differs in case alone. */
export type FindTool = (name: string) => ToolName | undefined

export function toolFinder(tools: readonly ReaderTool[]): FindTool {
  const exact = new Map<string, ToolName>()
  const folded = new Map<string, ToolName[]>()
  for (const { name, inputSchema, aliases = [] } of tools) {
    for (const known of [name, ...aliases]) {
      if (exact.has(known)) continue
      const entry = { name: known, inputSchema }
      exact.set(known, entry)
      folded.set(known.toLowerCase(), [...(folded.get(known.toLowerCase()) ?? []), entry])
    }
  }
  return (name) => {
    const found = exact.get(name)
    if (found) return found
    const near = folded.get(name.toLowerCase()) ?? []
    return near.length === 1 ? near[0] : undefined
  }
}
