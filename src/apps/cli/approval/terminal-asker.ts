import {
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalRequest,
  type Asker,
  type BatchAnswer,
  hasLinksLeft,
  type Scope,
} from '../../../core/approval/index.js'
import { textWidth, visibleLine, wrapPainted } from '../terminal/index.js'
import { askForm } from './ask-form.js'
import { chooseNumbers } from './choose-numbers.js'
import { askKey, type Conversation } from './conversation.js'
import { editArguments } from './edit-arguments.js'
import { showRequest } from './show-request.js'

/** Asks at a terminal. Enter alone never approves anything that changes or sends something. */
export function terminalAsker(conversation: Conversation): Asker {
  return async (panel, signal) => {
    if (panel.kind === 'batch') return askBatch(panel, conversation, signal)
    if (panel.kind === 'question') return askForm(panel, conversation, signal)
    return askOne(panel, conversation, signal)
  }
}

async function askOne(
  request: ApprovalRequest,
  conversation: Conversation,
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
function shown(request: ApprovalRequest, { style, width }: Conversation, everything = false): string {
  return showRequest(request, style, everything)
    .split('\n')
    .map((line) => wrapPainted(line, width))
    .join('\n')
}

/** What each key does, for this request. */
function choices(request: ApprovalRequest): string[] {
  const { scopes, offers, hunks, changes } = request
  const remembers = offers.length > 0
  return [
    'y yes',
    'n no',
    ...(scopes.includes('change-set') ? ['t all of this turn'] : []),
    ...(remembers && scopes.includes('session') ? ['s this session'] : []),
    ...(remembers && scopes.includes('always') ? ['a always'] : []),
    'e edit',
    ...(hasLinksLeft(request) ? ['l with the links in hidden notes'] : []),
    ...(hunks ? ['h pick changes'] : []),
    ...(changes && changes.length > 5 ? ['v view all'] : []),
    'r no, and say why',
  ]
}

const lettersFor = (request: ApprovalRequest): string =>
  choices(request)
    .map(([letter]) => letter)
    .join('')

function question(request: ApprovalRequest, { style, width }: Conversation): string {
  const keys = inRows(choices(request), width).map((row) => style.faint(row))
  const usual = request.safeDefault === 'allow' ? '[Y/n]' : '[y/N]'
  return `${keys.join('\n')}\n${style.strong('Allow it?')} ${usual} `
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
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const { scopes } = request
  switch (word) {
    case '':
      return { verdict: request.safeDefault }
    case 'y':
    case 'yes':
      return { verdict: 'allow', scope: 'once' }
    case 'n':
    case 'no':
      return { verdict: 'deny' }
    case 'r':
      return { verdict: 'deny', words: (await conversation.ask('What should the model know? ', signal))?.trim() }
    case 't':
      return scopes.includes('change-set') ? { verdict: 'allow', scope: 'change-set' } : undefined
    case 's':
      return remember(request, 'session', conversation, signal)
    case 'a':
      return remember(request, 'always', conversation, signal)
    case 'e': {
      const input = await editArguments(request.input, conversation, signal)
      return input === undefined ? undefined : { verdict: 'allow', input }
    }
    case 'l':
      return hasLinksLeft(request) ? { verdict: 'allow', touchesHidden: true } : undefined
    case 'h':
      return request.hunks && pickHunks(request, conversation, signal)
    case 'v':
      conversation.say(shown(request, conversation, true))
      return undefined
    default:
      conversation.say('Please answer with one of the letters, or n.')
      return undefined
  }
}

/** The rule is shown literally before it is remembered. */
async function remember(
  { offers, scopes }: ApprovalRequest,
  scope: Scope,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  if (offers.length === 0 || !scopes.includes(scope)) return undefined
  const until = scope === 'always' ? 'always in this vault' : 'until this session ends'
  conversation.say(`Allow ${until}, without asking:`)
  for (const [at, { rule }] of offers.entries()) conversation.say(`  ${at + 1}  ${visibleLine(rule)}`)
  const digits = '123456789'.slice(0, offers.length)
  const chosen = await askKey(conversation, `Which rule? 1-${offers.length}, Enter to go back: `, digits, signal)
  const offer = offers[Number(chosen?.trim()) - 1]
  return offer && { verdict: 'allow', scope, rule: offer.rule }
}

async function pickHunks(
  { hunks = [] }: ApprovalRequest,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  const { style } = conversation
  const all = hunks.flatMap(({ change, path, hunks: own }) => own.map((hunk, at) => ({ change, path, hunk, at })))
  for (const [at, { path, hunk }] of all.entries()) {
    conversation.say(`${style.strong(`${at + 1}`)}  ${visibleLine(path)}:${hunk.oldLine}`)
    for (const line of hunk.removed) conversation.say(`   ${style.removed(`- ${visibleLine(line)}`)}`)
    for (const line of hunk.added) conversation.say(`   ${style.added(`+ ${visibleLine(line)}`)}`)
  }
  const chosen = await chooseNumbers('Which to accept?', all.length, conversation, signal)
  if (chosen === undefined) return undefined
  const byChange = new Map(hunks.map(({ change }) => [change, [] as number[]]))
  for (const index of chosen) byChange.get(all[index].change)?.push(all[index].at)
  return { verdict: 'allow', hunks: [...byChange].map(([change, accepted]) => ({ change, hunks: accepted })) }
}

async function askPick(
  { pick = [] }: ApprovalRequest,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<ApprovalAnswer | undefined> {
  conversation.say('Notes to share with the model:')
  for (const [at, path] of pick.entries()) conversation.say(`  ${String(at + 1).padStart(2)}  ${visibleLine(path)}`)
  const chosen = await chooseNumbers('Which?', pick.length, conversation, signal)
  if (chosen === undefined) return undefined
  return chosen.length === 0 ? { verdict: 'deny' } : { verdict: 'allow', picked: chosen.map((at) => pick[at]) }
}

async function askBatch(
  { requests }: ApprovalBatch,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<BatchAnswer | undefined> {
  const { style } = conversation
  conversation.say(
    `\n${style.strong(`${requests.length} calls wait for you`)}  ${style.faint('nothing passes that you do not name')}`,
  )
  for (const [at, request] of requests.entries()) {
    conversation.say(`\n${style.strong(`${at + 1}`)}  ${shown(request, conversation)}`)
  }
  const chosen = await chooseNumbers('\nWhich to allow?', requests.length, conversation, signal)
  if (chosen === undefined) return undefined
  return { verdict: 'each', answers: Object.fromEntries(chosen.map((at) => [requests[at].id, allowed(requests[at])])) }
}

function allowed({ pick }: ApprovalRequest): ApprovalAnswer {
  return { verdict: 'allow', scope: 'once', ...(pick && { picked: pick }) }
}
