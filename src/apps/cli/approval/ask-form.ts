import type { FormField, Question, QuestionAnswer } from '../../../core/approval/index.js'
import { visibleLine, visibleText } from '../terminal/index.js'
import { askKey, type Conversation } from './conversation.js'

/** Somebody else's question, a field at a time. Nothing is sent before the person has seen all of it once more. */
export async function askForm(
  { from, message, form }: Question,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<QuestionAnswer | undefined> {
  const { style, say } = conversation
  say(`\n${style.strong(`${visibleLine(from)} asks`)}\n${visibleText(message)}`)
  const values: Record<string, string | number | boolean> = {}
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
  { style, say, ask }: Conversation,
  signal: AbortSignal,
): Promise<{ given: string | number | boolean } | undefined | 'left'> {
  const about = [field.description, isRequired ? 'required' : 'Enter leaves it out'].filter(Boolean).join('; ')
  const choices = field.type === 'string' && field.enum ? ` (${field.enum.join(', ')})` : ''
  const usual = field.default === undefined ? '' : ` [${field.default}]`
  const label = visibleLine(`${field.title ?? name}${choices}${usual}`)
  for (;;) {
    const text = await ask(`${label} ${style.faint(visibleLine(about))}: `, signal)
    if (text === undefined || signal.aborted) return 'left'
    if (text.trim() === '') {
      if (field.default !== undefined) return { given: field.default }
      if (!isRequired) return undefined
      say('This one is required. Ctrl-C leaves the question unanswered.')
      continue
    }
    const given = readValue(field, text.trim())
    if (given !== undefined) return { given }
    say(`Please give ${expected[field.type]}.`)
  }
}

const expected = { string: 'one of the choices', number: 'a number', integer: 'a whole number', boolean: 'yes or no' }

function readValue(field: FormField, text: string): string | number | boolean | undefined {
  switch (field.type) {
    case 'string':
      return field.enum === undefined || field.enum.includes(text) ? text : undefined
    case 'boolean':
      return /^(y|yes|true)$/i.test(text) ? true : /^(n|no|false)$/i.test(text) ? false : undefined
    default: {
      const number = Number(text)
      const fits = Number.isFinite(number) && (field.type === 'number' || Number.isInteger(number))
      return fits ? number : undefined
    }
  }
}
