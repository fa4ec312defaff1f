import type { FileFacts } from '../files.js'
import type { MoveImpact } from '../index/index.js'
import type { AppliedChangeSet, ChangeSet, NotePath } from '../vault/index.js'
import type { RequestTopic } from './request-topics.js'
import type { ToolContext } from './tool-context.js'

/** Effects of a call. Overwriting a whole note, renaming and deleting count as `destroys`. */
export type Effect = 'reads' | 'writes' | 'destroys' | 'reaches-network'

/** The origin of a result's text. `clipped` is a note that names a source elsewhere. */
export type Provenance = 'own-note' | 'clipped' | 'web' | 'mcp'

/** A tool of an MCP server, in the server's own words. */
export interface ForeignTool {
  server: string
  tool: string
}

export const categories = ['search', 'time', 'file', 'media', 'mcp', 'custom'] as const
export type Category = (typeof categories)[number]

/** The part of a zod 4 schema that carries its types. A tool's author may use another copy of zod. */
export interface ZodSchema<Output = unknown> {
  readonly _zod: { readonly input: unknown; readonly output: Output }
}

/** Every result is an object: MCP takes nothing else. */
type Fields = Record<string, unknown>

/** A JSON Schema from elsewhere, passed on unchanged and used for validation. */
export interface ForeignSchema {
  jsonSchema: Record<string, unknown>
}

export interface ToolInfo {
  /** As the model sees it: `read_note`. */
  name: string
  /** As a user sees it: "Read note". */
  title: string
  /** For the model: what it does, when to use it, what comes back; at most three sentences. */
  description: string
  /** Shown while it runs: "Reading a note". */
  activity: string
  category: Category
  /** Everything a call may do; a plan can say that this one does less. Empty for a clock. */
  effects: readonly Effect[]
  /** When and how to use it well: the second prompt layer, only sent when the tool is offered. */
  guidance?: string | undefined
  /** The arguments described to a model with a small context; it may still give the others. Default: all. */
  inBrief?: readonly string[]
  /** Cannot be switched off: a clock is always available. */
  alwaysOn?: boolean | undefined
  /** Described to a model only when the request has words of this topic, or the user enabled the tool by name. */
  onRequest?: RequestTopic
  /** Not in the toolset until enabled: the web, and external tools. */
  offByDefault?: boolean | undefined
  /** A sentence saying why the tool cannot be used whatever the settings say: its description was not reviewed. */
  withheld?: string | undefined
  needsVault?: boolean | undefined
  /** Asked again, it answers differently: never taken from a turn's cache. */
  varies?: boolean
  /** Shows no row while it runs; logged like any other. */
  background?: boolean | undefined
  /** Default: 30 seconds. Waiting for a user does not count. */
  timeoutMs?: number | undefined
}

/** The targets of a call, with every name resolved. Policy, preview and log use these, not the raw arguments. */
export interface CallTargets<Input = unknown> {
  /** Notes the call will read. */
  notes?: NotePath[]
  /** Everything that leaves the machine: full URLs, with the payload where it is not in the URL. */
  sends?: Outbound[]
  /** The user picks which of these the model gets, whatever the rules say. */
  pick?: NotePath[]
  /** The same call with names resolved: shown, bound by hash and run. */
  input?: Input
  /** Notices for the user before the approval. */
  notices?: Notice[]
}

export interface Outbound {
  url: string
  /** The body or query text that goes with it. */
  payload?: string
  /** The part chosen by the caller; the rest is from the tool or the settings. Default: all of it. */
  chosen?: string
}

/** The plan of a writing tool. Nothing has happened yet, and only `changes` will happen. */
export interface Plan<Output = unknown> {
  changes: ChangeSet
  /** The result once the changes are written. */
  output: Output
  /**
   * The result if the user accepts only this part of the changes; called before the part is written. Without it the
   * changes are accepted as a whole or not at all.
   */
  inPart?: (part: ChangeSet) => Output | Promise<Output>
  /** Effects of this call, if fewer than those of the tool: creating a note destroys nothing. */
  effects?: readonly Effect[]
  /** Notices for the user before the approval. `executable` always asks, whatever the level. */
  notices?: Notice[]
  /** Links a rename rewrites, and those it cannot. */
  impact?: MoveImpact
  /**
   * The plan depends on every link in the vault. It is made again after the approval, and shown again if it has
   * changed.
   */
  isAboutWholeVault?: true
}

export interface Notice {
  kind: 'executable' | 'overwrite' | 'links' | 'fuzzy-match' | 'other'
  text: string
}

interface DirectTool<Input, Output> {
  /** Resolves names and lists the affected notes; without it the call affects none in particular (a search). */
  reaches?(input: Input, context: ToolContext): Promise<CallTargets<Input>>
  /** The call for just the notes the user picked; goes with `Reach.pick`. */
  narrow?(input: Input, picked: readonly NotePath[], offered: readonly NotePath[]): Input
  run(input: Input, context: ToolContext): Promise<Output>
}

interface PlanningTool<Input, Output> {
  plan(input: Input, context: ToolContext): Promise<Plan<Output>>
}

interface ResultRendering<Output> {
  /** The words the model reads; a writing tool also gets what was applied. */
  render(output: Output, applied?: AppliedChangeSet): string
  /** Notes whose content is in the output: where its provenance comes from. */
  notesIn?(output: Output): readonly NotePath[]
  /** Pictures and PDFs of the vault that the model is to see besides the text. */
  filesIn?(output: Output): readonly (FileFacts & { path: NotePath })[]
  /** Other origins of its text. */
  provenanceIn?(output: Output): readonly Provenance[]
  /** One short line for a folded row and for the log: "10 notes". Never note text. */
  summary?(output: Output): string
}

type SchemaOutput<Schema extends ZodSchema> = Schema['_zod']['output']

/** A tool as its author writes it. */
export type ToolDefinition<Schema extends ZodSchema, OutputSchema extends ZodSchema<Fields>> = ToolInfo & {
  input: Schema
  /** Arguments of a usual call, on the vault of examples/: for the reference page, `tool show` and tests. */
  example?: Schema['_zod']['input']
  /** Shape of the structured result, for MCP and the reference page. */
  output: OutputSchema
} & (
    | DirectTool<SchemaOutput<Schema>, SchemaOutput<OutputSchema>>
    | PlanningTool<SchemaOutput<Schema>, SchemaOutput<OutputSchema>>
  ) &
  ResultRendering<SchemaOutput<OutputSchema>>

/**
 * A tool with its types erased, as registries, policies and front ends use it. Made by `defineTool`; a foreign one is
 * this literally.
 */
export type Tool = ToolInfo & {
  input: ZodSchema | ForeignSchema
  example?: unknown
  output?: ZodSchema<Fields>
  // biome-ignore lint/suspicious/noExplicitAny: input and output types differ from tool to tool
} & Partial<DirectTool<any, any>> &
  // biome-ignore lint/suspicious/noExplicitAny: as above
  Partial<PlanningTool<any, any>> &
  // biome-ignore lint/suspicious/noExplicitAny: as above
  ResultRendering<any>

/** A tool only describes and performs its task: it does not ask, log or write by itself. */
export function defineTool<Schema extends ZodSchema, OutputSchema extends ZodSchema<Fields>>(
  definition: ToolDefinition<Schema, OutputSchema>,
): Tool
/** With a JSON Schema instead of zod: the input has been validated against it. */
export function defineTool(definition: Tool & { input: ForeignSchema }): Tool
export function defineTool(definition: unknown): Tool {
  return definition as Tool
}
