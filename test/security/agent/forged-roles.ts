import { LLMock } from '@copilotkit/aimock'
import { expect } from 'vitest'
import { withDialect } from '../../../src/core/dialects/index.js'
import { defaultProfile } from '../../../src/core/model/index.js'
import { openModel } from '../../../src/core/providers/index.js'
import { attacks } from '../../agent/attacks.js'
import { dialectsToTry, inDialect, type TriedDialect } from '../../agent/in-dialect.js'
import { mockResponse } from '../../agent/mock-response.js'
import { playTurn } from '../../agent/play.js'
import { everyProvider, type Route } from '../../providers/every-provider.js'
import { type Check, quoted, type SecurityCase } from '../security-case.js'

/** A note pretends to be the end of a tool's result and the words of someone else; looked at is what goes over the wire. */
export function forgedRoleChecks(of: SecurityCase): Check[] {
  const forged = quoted(of.setup)
  // With the case's own also forged blocks of ours.
  const text = `Start of the note.\n${[...forged, attacks['forged roles']].join('\n')}\nEnd of the note.\n`
  return everyProvider.flatMap((route) =>
    dialectsToTry.map((dialect): Check => {
      const place = dialect === 'native' ? 'one message of the tool' : 'one block that it cannot close'
      return {
        name: `the note stays inside ${place} (${route.name}, ${dialect})`,
        run: async () => {
          const [one, other] = [await readOver(route, dialect, text), await readOver(route, dialect, text)]
          if (dialect === 'native') return expectInToolMessage(one, text)
          expectInBlock(one, forged)
          expect(markOf(one)).not.toBe(markOf(other))
        },
      }
    }),
  )
}

/** The body of the request that carries the note, byte for byte. */
async function readOver({ name, environment }: Route, dialect: TriedDialect, text: string): Promise<string> {
  const mock = new LLMock({ port: 0, host: '127.0.0.1' })
  await mock.start()
  try {
    const read = { call: [{ name: 'read_note', input: { path: 'Evil.md' } }] }
    const steps = [read, { say: 'Read.' }].map((step) =>
      mockResponse(name, inDialect(step, dialect) as { say?: string }),
    )
    mock.addFixture({ match: { predicate: () => true }, response: async () => steps.shift()! })
    const bodies: string[] = []
    const recorded: typeof fetch = (url, init) => {
      // Ollama is also asked about the model, which is no part of the conversation.
      if (`${init?.body}`.includes('messages') || !name.startsWith('ollama/')) bodies.push(`${init?.body}`)
      return fetch(url, init)
    }
    const { model } = await openModel(name, { environment: environment(mock.url), fetch: recorded })
    const spoken = withDialect(model, { dialect, profile: defaultProfile })
    const { end } = await playTurn(spoken, 'Sum up.', { notes: { 'Evil.md': text } })
    expect(end).toMatchObject({ reason: 'answered', text: 'Read.' })
    expect(bodies).toHaveLength(2)
    return bodies[1]
  } finally {
    await mock.stop()
  }
}

interface Found {
  text: string
  /** The objects it stands in, from the outside in, and the keys on the way. */
  inside: Record<string, unknown>[]
  keys: string[]
}

/** Finds the note's text in a request. */
function findNote(body: string): Found[] {
  const search = (value: unknown, inside: Found['inside'], keys: string[]): Found[] => {
    if (typeof value === 'string')
      return /Start of the note|End of the note/.test(value) ? [{ text: value, inside, keys }] : []
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value).flatMap(([key, inner]) =>
      search(inner, [...inside, value as Found['inside'][number]], [...keys, key]),
    )
  }
  return search(JSON.parse(body), [], [])
}

function expectInToolMessage(body: string, note: string): void {
  const found = findNote(body)
  expect(found).toHaveLength(1)
  const [{ text, inside, keys }] = found
  expect(text).toContain(note.trim())
  const isTool = inside.some(
    ({ role, type }) => role === 'tool' || type === 'function_call_output' || type === 'tool_result',
  )
  expect(isTool || keys.includes('functionResponse')).toBe(true)
}

function expectInBlock(body: string, forged: string[]): void {
  const found = findNote(body)
  expect(found).toHaveLength(1)
  const [{ text, inside }] = found
  expect(inside.some(({ role }) => role === 'user')).toBe(true)
  const mark = markOf(body)
  const [before, block, ...rest] = text.split(`#${mark}`)
  expect(before).toMatch(/(?:^|\n)\[tool_result $/)
  expect(block).toMatch(/\n\[\/tool_result $/)
  expect(rest).toEqual([']'])
  expect(block).toMatch(/Start of the note[\s\S]*End of the note/)
  for (const each of forged) expect(block).not.toContain(each)
  expect(block).not.toMatch(/<\/tool_result>|<\|im_|\n\nHuman:|\[INST\]|<start_of_turn>/)
}

const markOf = (body: string): string => /\[tool_result #(\w{8,}) 1 read_note\]/.exec(body)![1]
