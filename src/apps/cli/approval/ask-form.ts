import type { FormField, FormValue, Question, QuestionAnswer } from '../../../core/approval/index.js'
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
  { style, say, ask }: Conversation,
  signal: AbortSignal,
): Promise<{ given: FormValue } | undefined | 'left'> {
  const about = [field.description, isRequired ? 'required' : 'Enter leaves it out'].filter(Boolean).join('; ')
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
      say('This one is required. Ctrl-C leaves the question unanswered.')
      continue
    }
    const given = readValue(field, text.trim())
    if (given !== undefined) return { given }
    say(`Please give ${expected[field.type]}.`)
  }
}

const expected = {
  string: 'one of the choices',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  array: 'some of the choices, with commas between them',
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
