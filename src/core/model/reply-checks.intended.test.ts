import { describe, expect, it } from 'vitest'
import { isPromisedCall, textCallFailure } from './reply-checks.js'

it('the failure of a model that writes its calls as text names the setting for it in the words of the front end', () => {
  const who = { provider: 'Ollama', modelId: 'small' }
  const howToSet = (setting: string, value: string) => `Settings → ${setting}: ${value}`
  expect(textCallFailure({ ...who, howToSet }).details.hint).toBe(
    'Let Notewright read tool calls from text: Settings → dialect: sentinel',
  )
  expect(textCallFailure(who).details.hint).toBeUndefined()
})

const tools = ['search_notes', 'read_note']

describe('a reply that only promises a call', () => {
  it.each([
    'I will search your notes now.',
    'Let me look that up…',
    "Sure! I'll check the notes about the roof.",
    'Searching your notes now.',
    'I can use search_notes for this.',
    'One moment...',
    'Ich werde deine Notizen durchsuchen.',
    'Je vais chercher dans vos notes.',
    'Voy a buscar en tus notas.',
    'Сейчас поищу в заметках.',
    '我来搜索一下你的笔记。',
    'ノートを検索します。',
    'Aha, katson muistiinpanoista:',
  ])('%s', (reply) => expect(isPromisedCall(reply, tools)).toBe(true))

  it.each([
    'Hello!',
    'Paris.',
    'Which note do you mean?',
    'Shall I search your notes?',
    'The roof was fixed in May, see [[Roof]].',
    'The notes do not say.',
    'You are welcome.',
    `I will search your notes. ${'The roof needs new tiles. '.repeat(12)}`,
    '- I will check the roof',
    'Das Dach ist dicht.',
    '屋顶已经修好了。',
  ])('is not: %s', (reply) => expect(isPromisedCall(reply, tools)).toBe(false))
})
