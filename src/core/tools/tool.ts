import type { FileFacts } from '../files/index.js'
import type { AppliedChangeSet, ChangeSet, NotePath } from '../vault/index.js'
import type { MoveImpact } from '../vault-index/index.js'
import type { Provenance } from './guard.js'
import type { ToolContext } from './tool-context.js'

/** What a call can do to the world. Overwriting a whole note, renaming and deleting count as `destroys`. */
export type Effect = 'reads' | 'writes' | 'destroys' | 'reaches-network'

export const categories = ['search', 'time', 'file', 'media', 'mcp', 'custom'] as const
export type Category = (typeof categories)[number]

/** A schema of zod 4, as much of it as tells what comes out: whoever writes a tool may bring a copy of zod of their own. */
export interface ZodSchema<Output = unknown> {
  readonly _zod: { readonly input: unknown; readonly output: Output }
}

/** Every result is an object: MCP takes nothing else. */
type Fields = Record<string, unknown>

/** A JSON Schema from someone else, passed on unchanged and validated as it stands. */
export interface ForeignSchema {
  jsonSchema: Record<string, unknown>
}

export interface ToolWords {
  /** As the model sees it: `read_note`. */
  name: string
  /** As a person sees it: "Read note". */
  title: string
  /** For the model: what it does, when to use it, what comes back; at most three sentences. */
  description: string
  /** What a person sees while it runs: "Reading a note". */
  activity: string
  category: Category
  /** Everything a call may do; a plan can say that this one does less. Empty for a clock. */
  effects: readonly Effect[]
  /** When and how to use it well: the second prompt layer, only sent when the tool is offered. */
  guidance?: string
  /** The arguments that a model with little room hears of; it may still give the others. All unless told. */
  inBrief?: readonly string[]
  /** Not a setting: a clock is always there. */
  alwaysOn?: boolean
  /** Not in the toolset until someone enables it: the web, and what belongs to others. */
  offByDefault?: boolean
  /** Why it cannot be used whatever the settings say, in a sentence: nobody has looked at what it says it does. */
  withheld?: string
  needsVault?: boolean
  /** Asked again, it answers differently: never taken from a turn's cache. */
  varies?: boolean
  /** Shows no row while it runs; logged like any other. */
  background?: boolean
  /** 30 seconds unless told. Waiting for a person does not count. */
  timeoutMs?: number
}

/** What a call is about to touch, with every name resolved. Policy, preview and log look at this, not at raw arguments. */
export interface Reach<Input = unknown> {
  /** Notes the call will read. */
  notes?: NotePath[]
  /** Everything that leaves the machine: full URLs, with the payload where it is not in the URL. */
  sends?: Outbound[]
  /** The person picks which of these the model gets, whatever the rules say. */
  pick?: NotePath[]
  /** The same call with names resolved: what is shown, bound by hash and run. */
  input?: Input
  /** What a person must know before saying yes. */
  notices?: Notice[]
}

export interface Outbound {
  url: string
  /** The body or query text that goes with it. */
  payload?: string
  /** What of it the caller chose; the rest is the tool's own, or from the person's settings. All of it unless told. */
  chosen?: string
}

/** What a writing tool would do. Nothing has happened yet, and nothing will that is not in `changes`. */
export interface Plan<Output = unknown> {
  changes: ChangeSet
  /** What the tool answers once the changes stand. */
  output: Output
  /**
   * What it answers when a person accepts only this part of the changes; asked before the part is written.
   * Without it the changes are accepted as a whole or not at all: an answer about all of them would be untrue.
   */
  inPart?: (part: ChangeSet) => Output | Promise<Output>
  /** What this call does, when it is less than the tool may do: making a new note destroys nothing. */
  effects?: readonly Effect[]
  /** What a person must know before saying yes. `executable` text asks by itself, whatever the level. */
  notices?: Notice[]
  /** Links a rename rewrites, and those it cannot. */
  impact?: MoveImpact
  /**
   * It depends on more than the notes it changes: on every link there is. So it is made again after a person has said
   * yes, and where it is no longer the same they are shown what it has become.
   */
  isAboutWholeVault?: true
}

export interface Notice {
  kind: 'executable' | 'overwrite' | 'links' | 'fuzzy-match' | 'other'
  text: string
}

interface Reading<Input, Output> {
  /** Resolves names and says what will be touched; without it the call touches nothing in particular (a search). */
  reaches?(input: Input, context: ToolContext): Promise<Reach<Input>>
  /** The call for just the notes the person picked; goes with `Reach.pick`. */
  narrow?(input: Input, picked: readonly NotePath[], offered: readonly NotePath[]): Input
  run(input: Input, context: ToolContext): Promise<Output>
}

interface Writing<Input, Output> {
  plan(input: Input, context: ToolContext): Promise<Plan<Output>>
}

interface Answer<Output> {
  /** The words the model reads; a writing tool also gets what was applied. */
  render(output: Output, applied?: AppliedChangeSet): string
  /** Notes whose content is in the output: where its provenance comes from. */
  notesIn?(output: Output): readonly NotePath[]
  /** Pictures and PDFs of the vault that the model is to see besides the text. */
  filesIn?(output: Output): readonly (FileFacts & { path: NotePath })[]
  /** Where else its text comes from. */
  provenanceIn?(output: Output): readonly Provenance[]
  /** One short line for a folded row and for the log: "10 notes". Never note text. */
  summary?(output: Output): string
}

type Made<Schema extends ZodSchema> = Schema['_zod']['output']

export type ToolDefinition<Schema extends ZodSchema, OutputSchema extends ZodSchema<Fields>> = ToolWords & {
  input: Schema
  /** Arguments of a usual call, on the vault of examples/: for the reference page, `tool show` and tests. */
  example?: Schema['_zod']['input']
  /** Shape of the structured result, for MCP and the reference page. */
  output: OutputSchema
} & (Reading<Made<Schema>, Made<OutputSchema>> | Writing<Made<Schema>, Made<OutputSchema>>) &
  Answer<Made<OutputSchema>>

/** A tool with its types forgotten: what registries, policies and front ends handle. Made by `defineTool`; a foreign one is this literally. */
export type Tool = ToolWords & {
  input: ZodSchema | ForeignSchema
  example?: unknown
  output?: ZodSchema<Fields>
  // biome-ignore lint/suspicious/noExplicitAny: input and output types differ from tool to tool
} & Partial<Reading<any, any>> &
  // biome-ignore lint/suspicious/noExplicitAny: as above
  Partial<Writing<any, any>> &
  // biome-ignore lint/suspicious/noExplicitAny: as above
  Answer<any>

/** A tool says what it does, and nothing else: no asking, no logging, no writing of its own. */
export function defineTool<Schema extends ZodSchema, OutputSchema extends ZodSchema<Fields>>(
  definition: ToolDefinition<Schema, OutputSchema>,
): Tool
/** With a JSON Schema in place of one of zod: what comes in has been checked by it. */
export function defineTool(definition: Tool & { input: ForeignSchema }): Tool
export function defineTool(definition: unknown): Tool {
  return definition as Tool
}
