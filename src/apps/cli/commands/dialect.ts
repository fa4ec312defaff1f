import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import {
  type DialectName,
  dialectName,
  dialectNames,
  openReader,
  type ParsedReply,
  type ReaderTool,
  replyBuilder,
} from '../../../core/dialects/index.js'
import { Failure } from '../../../core/errors.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { wholeNumber, withoutSubcommand } from '../program/options.js'
import { jsonLine } from '../terminal/terminal.js'

export const declareDialect: DeclareCommand = (command, run) => {
  command.addHelpText(
    'after',
    examples(['notewright dialect'], ['notewright dialect parse --tools tools.json < reply.txt']),
  )
  command
    .command('parse')
    .description("Parse a model's reply from standard input.\nPrints its text, reasoning, calls and errors as JSON.")
    .option('--tools <file>', 'offered tools, as a JSON array of {name, parameters}')
    .option('--format <format>', 'read only this dialect, including its bare forms', 'any')
    .option('--starts-in-reasoning', 'the reply starts inside a think block')
    .option('--chunk <count>', 'parse the reply in pieces of this many characters', wholeNumber(1, 1_000_000))
    .option(
      '--batch <file>',
      'replies as JSON lines {id, text, tools, format?, starts_in_reasoning?}, - for standard input',
    )
    .addHelpText(
      'after',
      examples(
        ['notewright dialect parse --tools tools.json < reply.txt', 'show the calls'],
        ['notewright dialect parse --tools tools.json --format llama3_json --chunk 1 < reply.txt'],
        ['notewright dialect parse --batch replies.jsonl', 'one result per line'],
      ),
    )
    .action((options) => run((to) => dialectParse(to, options)))
  withoutSubcommand(command, () => run((to) => dialectList(to)))
}

export interface DialectParseOptions {
  tools?: string
  format: string
  startsInReasoning?: boolean
  chunk?: number
  batch?: string
}

interface Job {
  tools: ReaderTool[]
  format: 'any' | DialectName
  startsInReasoning: boolean
  chunk?: number | undefined
}

/** Shows the content of a model's reply: text, reasoning, calls, and intended calls. */
export async function dialectParse(invocation: Invocation, options: DialectParseOptions): Promise<void> {
  const format = dialectName(options.format)
  const tools = options.tools === undefined ? undefined : toolsFrom(await readJson(options.tools), options.tools)
  const job = { format, startsInReasoning: options.startsInReasoning ?? false, chunk: options.chunk }
  if (options.batch !== undefined) return parseBatch(invocation, options.batch, { ...job, tools: tools ?? [] })
  if (tools === undefined) {
    throw new Failure('invalid-input', 'No tools given.', {
      hint: 'Add --tools FILE with a JSON array of {"name", "parameters"}.',
    })
  }
  const { terminal, signal } = invocation
  const decoder = new StringDecoder('utf8')
  const parser = openParser({ ...job, tools })
  for await (const bytes of terminal.input) {
    signal.throwIfAborted()
    parser.push(typeof bytes === 'string' ? bytes : decoder.write(bytes))
  }
  parser.push(decoder.end())
  terminal.printJson(shown(parser.finish()))
}

/** The names that `--format` takes. */
export async function dialectList({ terminal }: Invocation): Promise<void> {
  if (terminal.json) terminal.printJson(dialectNames)
  else terminal.print(dialectNames.join('\n'))
}

/** JSON lines in, JSON lines out, in the same order. */
async function parseBatch({ terminal, signal }: Invocation, file: string, base: Job): Promise<void> {
  const input = file === '-' ? terminal.input : Readable.from([await readText(file)])
  let number = 0
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY, signal })) {
    signal.throwIfAborted()
    number++
    if (line.trim() === '') continue
    const { id, text, job } = batchJob(line, number, base)
    const parser = openParser(job)
    parser.push(text)
    terminal.print(jsonLine({ id, ...shown(parser.finish()) }))
  }
}

function openParser({ chunk, ...options }: Job): { push(text: string): void; finish(): ParsedReply } {
  const reader = openReader(options)
  const reply = replyBuilder()
  let rest = ''
  const feed = (piece: string): void => {
    for (const event of reader.push(piece)) reply.add(event)
  }
  return {
    push(text) {
      if (chunk === undefined) return feed(text)
      rest += text
      let at = 0
      for (; at + chunk <= rest.length; at += chunk) feed(rest.slice(at, at + chunk))
      rest = rest.slice(at)
    },
    finish() {
      feed(rest)
      for (const event of reader.end()) reply.add(event)
      return reply.finish()
    },
  }
}

const shown = ({ text, reasoning, calls, errors }: ParsedReply) => ({ text, reasoning, calls, errors })

function batchJob(line: string, number: number, base: Job): { id: unknown; text: string; job: Job } {
  const place = `Line ${number}`
  const value = parsed(line.replace(/^\uFEFF/, ''), place) as Record<string, unknown> | null
  if (typeof value?.text !== 'string') {
    throw new Failure('invalid-input', `${place} is not valid. Expected JSON: {"id": …, "text": "…", "tools": […]}`)
  }
  const { id = null, text, tools, format, starts_in_reasoning: startsInReasoning } = value
  return {
    id,
    text,
    job: {
      ...base,
      tools: tools === undefined ? base.tools : toolsFrom(tools, place),
      format: typeof format === 'string' ? dialectName(format) : base.format,
      startsInReasoning: typeof startsInReasoning === 'boolean' ? startsInReasoning : base.startsInReasoning,
    },
  }
}

/** Accepts tools in several formats: ours, OpenAI's two, MCP's. */
function toolsFrom(value: unknown, place: string): ReaderTool[] {
  const list = Array.isArray(value) ? value : (value as { tools?: unknown } | null)?.tools
  if (!Array.isArray(list)) throw new Failure('invalid-input', `${place}: the tools are not a JSON array.`)
  return list.map((entry) => {
    const tool = entry?.function ?? entry
    if (typeof tool?.name !== 'string') throw new Failure('invalid-input', `${place}: a tool has no name.`)
    const inputSchema = tool.parameters ?? tool.inputSchema ?? tool.input_schema ?? {}
    const aliases = Array.isArray(tool.aliases)
      ? tool.aliases.filter((alias: unknown) => typeof alias === 'string')
      : []
    return { name: tool.name, inputSchema, aliases }
  })
}

async function readJson(file: string): Promise<unknown> {
  return parsed((await readText(file)).replace(/^\uFEFF/, ''), file)
}

async function readText(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    const isMissing = error.code === 'ENOENT'
    const text = isMissing ? `File not found: ${file}` : `Error reading file: ${file} (${error.code})`
    throw new Failure(isMissing ? 'not-found' : 'invalid-input', text)
  })
}

function parsed(text: string, place: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Failure('invalid-input', `${place} is not JSON: ${(error as Error).message}`)
  }
}
