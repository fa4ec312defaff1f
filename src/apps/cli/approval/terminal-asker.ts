import {
  type AllowChoice,
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalRequest,
  type AskUser,
  allowChoices,
  type BatchAnswer,
  type FormField,
  type FormValue,
  hasHiddenLinksToRewrite,
  type Question,
  type QuestionAnswer,
} from '../../../core/approval/index.js'
import { jsonLine, terminalText, visibleLine } from '../terminal/terminal.js'
import { textWidth, wrapPainted } from '../terminal/text-width.js'
import { editorOf, editText } from '../terminal/user-programs.js'
import { askKey, type TerminalQuestions } from './questions.js'
import { showRequest } from './show-request.js'

/** Asks at a terminal. Enter alone never approves anything that changes or sends something. */
export function terminalAsker(conversation: TerminalQuestions): AskUser {
  return async (panel, signal) => {
    if (panel.kind === 'batch') return askBatch(panel, conversation, signal)
    if (panel.kind === 'question') return askForm(panel, conversation, signal)
    return askOne(panel, conversation, signal)
  }
}

async function askOne(
  request: ApprovalRequest,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  conversation.say(`\n${shown(request, conversation)}`)
  if (request.pick) return askPick(request, conversation, signal)
  for (;;) {
    const word = await askKey(conversation, question(request, conversation), lettersFor(request), signal)
    if (word === undefined) return undefined
    const answer = await answerTo(word.trim().toLowerCase(), request, conversation, signal)
    if (answer !== undefined) return answer
    if (signal.aborted) return undefined
  }
}

/** Everything about a request, each line at its words within the width. */
function shown(request: ApprovalRequest, { style, width }: TerminalQuestions, everything = false): string {
  return showRequest(request, style, everything)
    .split('\n')
    .map((line) => wrapPainted(line, width))
    .join('\n')
}

/** The keys of this request and their actions. */
function choices(request: ApprovalRequest): string[] {
  const { hunks, changes } = request
  const [once = '', ...longer] = allowChoices(request).map(({ key, short }) => `${key} ${short}`)
  return [
    once,
    'n deny',
    ...longer,
    'e edit',
    ...(hasHiddenLinksToRewrite(request) ? ['l also update links in hidden notes'] : []),
    ...(hunks ? ['h choose changes'] : []),
    ...(changes && changes.length > 5 ? ['v view all'] : []),
    'r deny with reason',
  ]
}

const lettersFor = (request: ApprovalRequest): string =>
  choices(request)
    .map(([letter]) => letter)
    .join('')

function question(request: ApprovalRequest, { style, width }: TerminalQuestions): string {
  const keys = inRows(choices(request), width).map((row) => style.faint(row))
  const usual = request.safeDefault === 'allow' ? '[Y/n]' : '[y/N]'
  return `${keys.join('\n')}\n${style.strong('Approve?')} ${usual} `
}

/** Choices side by side, none broken over two rows. */
function inRows(texts: readonly string[], width: number): string[] {
  const rows: string[] = []
  for (const text of texts) {
    const joined = rows.length === 0 ? text : `${rows[rows.length - 1]} · ${text}`
    if (rows.length > 0 && textWidth(joined) <= width) rows[rows.length - 1] = joined
    else rows.push(text)
  }
  return rows
}

/** undefined: ask again. */
async function answerTo(
  word: string,
  request: ApprovalRequest,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const choice = allowChoices(request).find(({ key }) => key === word)
  if (choice !== undefined) return allowFor(choice, conversation, signal)
  switch (word) {
    case '':
      return { verdict: request.safeDefault }
    case 'yes':
      return { verdict: 'allow', scope: 'once' }
    case 'n':
    case 'no':
      return { verdict: 'deny' }
    case 'r':
      return { verdict: 'deny', words: (await conversation.ask('Reason (sent to the model): ', signal))?.trim() }
    case 'e': {
      const input = await editArguments(request.input, conversation, signal)
      return input === undefined ? undefined : { verdict: 'allow', input }
    }
    case 'l':
      return hasHiddenLinksToRewrite(request) ? { verdict: 'allow', touchesHidden: true } : undefined
    case 'h':
      return request.hunks && pickHunks(request, conversation, signal)
    case 'v':
      conversation.say(shown(request, conversation, true))
      return undefined
    default:
      conversation.say('Press one of the letters above.')
      return undefined
  }
}

/** A rule is shown literally before it is remembered. */
async function allowFor(
  { scope, rules, until }: AllowChoice,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  if (rules.length === 0) return { verdict: 'allow', scope }
  conversation.say(`Rules to allow ${until} without asking:`)
  for (const [at, rule] of rules.entries()) conversation.say(`  ${at + 1}  ${visibleLine(rule)}`)
  const digits = '123456789'.slice(0, rules.length)
  const chosen = await askKey(conversation, `Choose a rule (1-${rules.length}, Enter to go back): `, digits, signal)
  const rule = rules[Number(chosen?.trim()) - 1]
  return rule === undefined ? undefined : { verdict: 'allow', scope, rule }
}

async function pickHunks(
  { hunks = [] }: ApprovalRequest,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const { style } = conversation
  const all = hunks.flatMap(({ change, path, hunks: own }) => own.map((hunk, at) => ({ change, path, hunk, at })))
  for (const [at, { path, hunk }] of all.entries()) {
    conversation.say(`${style.strong(`${at + 1}`)}  ${visibleLine(path)}:${hunk.oldLine}`)
    for (const line of hunk.removed) conversation.say(`   ${style.removed(`- ${visibleLine(line)}`)}`)
    for (const line of hunk.added) conversation.say(`   ${style.added(`+ ${visibleLine(line)}`)}`)
  }
  const chosen = await chooseNumbers('Which changes do you want to keep?', all.length, conversation, signal)
  if (chosen === undefined) return undefined
  const byChange = new Map(hunks.map(({ change }) => [change, [] as number[]]))
  for (const [index, { change, at }] of all.entries()) if (chosen.includes(index)) byChange.get(change)?.push(at)
  return { verdict: 'allow', hunks: [...byChange].map(([change, accepted]) => ({ change, hunks: accepted })) }
}

async function askPick(
  { pick = [] }: ApprovalRequest,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  conversation.say('Notes to share with the model:')
  for (const [at, path] of pick.entries()) conversation.say(`  ${String(at + 1).padStart(2)}  ${visibleLine(path)}`)
  const chosen = await chooseNumbers('Which notes?', pick.length, conversation, signal)
  if (chosen === undefined) return undefined
  return chosen.length === 0
    ? { verdict: 'deny' }
    : { verdict: 'allow', picked: pick.filter((_, at) => chosen.includes(at)) }
}

async function askBatch(
  { requests }: ApprovalBatch,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<BatchAnswer | undefined> {
  const { style } = conversation
  conversation.say(
    `\n${style.strong(`${requests.length} requests need your approval`)}  ${style.faint("requests you don't choose are denied")}`,
  )
  for (const [at, request] of requests.entries()) {
    conversation.say(`\n${style.strong(`${at + 1}`)}  ${shown(request, conversation)}`)
  }
  const chosen = await chooseNumbers('\nWhich requests do you want to allow?', requests.length, conversation, signal)
  if (chosen === undefined) return undefined
  const allowedRequests = requests.filter((_, at) => chosen.includes(at))
  return { verdict: 'each', answers: Object.fromEntries(allowedRequests.map((each) => [each.id, allowed(each)])) }
}

function allowed({ pick }: ApprovalRequest): ApprovalAnswer {
  return { verdict: 'allow', scope: 'once', ...(pick && { picked: pick }) }
}

/** Lets a user choose from a numbered list: `1,3`, `2-4`, `all` or `none`. Answers positions from 0; undefined when they left. */
export async function chooseNumbers(
  question: string,
  count: number,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<number[] | undefined> {
  const example = count === 1 ? '1, all' : `1-${count}, e.g. 1,${count}, all`
  for (;;) {
    const text = await conversation.ask(
      `${question} ${conversation.style.faint(`(${example}, Enter for none)`)} `,
      signal,
    )
    if (text === undefined) return undefined
    const chosen = readNumbers(text, count)
    if (chosen !== undefined) return chosen
    conversation.say(`Type numbers from 1 to ${count}, all, or none.`)
  }
}

export function readNumbers(text: string, count: number): number[] | undefined {
  const words = text.trim().toLowerCase()
  if (words === '' || words === 'none') return []
  if (words === 'all') return Array.from({ length: count }, (_, at) => at)
  const chosen = new Set<number>()
  for (const part of words.split(/[\s,]+/)) {
    const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part)
    const [first, last] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])]
    if (range === null || first < 1 || last > count || first > last) return undefined
    for (let number = first; number <= last; number++) chosen.add(number - 1)
  }
  return [...chosen].sort((a, b) => a - b)
}

/** The arguments as the user changes them, in their editor or on one line; undefined when they leave them as they are. */
export async function editArguments(
  input: unknown,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<unknown> {
  const editor = editorOf(process.env)
  const aside = conversation.aside ?? ((work) => work())
  const text = editor
    ? await aside(() =>
        editText(editor, { name: 'arguments.json', text: `${JSON.stringify(input, null, 2)}\n` }, signal),
      )
    : await onOneLine(input, conversation, signal)
  if (text === undefined || text.trim() === '') return undefined
  try {
    const edited: unknown = JSON.parse(text)
    return JSON.stringify(edited) === JSON.stringify(input) ? undefined : edited
  } catch (error) {
    conversation.say(`Not valid JSON: ${visibleLine((error as Error).message)}`)
    return undefined
  }
}

async function onOneLine(
  input: unknown,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<string | undefined> {
  conversation.say(`Current input: ${jsonLine(input)}`)
  return conversation.ask('New input as JSON (Enter to keep it; set EDITOR to use an editor): ', signal)
}

/** Asks an MCP server's question, one field at a time. The user reviews all answers before anything is sent. */
export async function askForm(
  { from, message, form }: Question,
  conversation: TerminalQuestions,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  const { style, say } = conversation
  say(`\n${style.strong(`${visibleLine(from)} asks`)}\n${terminalText(message)}`)
  const values: Record<string, FormValue> = {}
  for (const [name, field] of Object.entries(form.properties)) {
    const isRequired = form.required?.includes(name) === true
    const value = await askField(name, field, isRequired, conversation, signal)
    if (value === 'left') return undefined
    if (value !== undefined) values[name] = value.given
  }
  for (const [name, value] of Object.entries(values)) say(`  ${visibleLine(name)}: ${visibleLine(String(value))}`)
  const sends = `${style.strong(`Send this to ${visibleLine(from)}?`)} [y/N] `
  const word = await askKey(conversation, sends, 'yn', signal)
  if (word === undefined) return undefined
  return /^y(es)?$/i.test(word.trim()) ? { verdict: 'allow', values } : { verdict: 'deny' }
}

/** undefined: left empty. */
async function askField(
  name: string,
  field: FormField,
  isRequired: boolean,
  { style, say, ask }: TerminalQuestions,
  signal: AbortSignal,
): Promise<{ given: FormValue } | undefined | 'left'> {
  const about = [field.description, isRequired ? 'required' : 'optional'].filter(Boolean).join('; ')
  const listed = field.type === 'array' ? field.items.enum : field.type === 'string' ? field.enum : undefined
  const choices = listed ? ` (${field.type === 'array' ? 'any of ' : ''}${listed.join(', ')})` : ''
  const usual = field.default === undefined ? '' : ` [${field.default}]`
  const label = visibleLine(`${field.title ?? name}${choices}${usual}`)
  for (;;) {
    const text = await ask(`${label} ${style.faint(visibleLine(about))}: `, signal)
    if (text === undefined || signal.aborted) return 'left'
    if (text.trim() === '') {
      if (field.default !== undefined) return { given: field.default }
      if (!isRequired) return undefined
      say('This field is required. Press Ctrl-C to cancel.')
      continue
    }
    const given = readValue(field, text.trim())
    if (given !== undefined) return { given }
    say(`Expected ${expected[field.type]}.`)
  }
}

const expected = {
  string: 'one of the choices',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'one or more of the choices, separated by commas',
}

function readValue(field: FormField, text: string): FormValue | undefined {
  switch (field.type) {
    case 'string':
      return field.enum === undefined || field.enum.includes(text) ? text : undefined
    case 'array': {
      const chosen = [...new Set(text.split(',').map((word) => word.trim()))]
      const { minItems = 0, maxItems = chosen.length } = field
      const fits = chosen.length >= minItems && chosen.length <= maxItems
      return fits && chosen.every((word) => field.items.enum.includes(word)) ? chosen : undefined
    }
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : undefined
    default: {
      const number = Number(text)
      const fits = Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number))
      return fits ? number : undefined
    }
  }
}
