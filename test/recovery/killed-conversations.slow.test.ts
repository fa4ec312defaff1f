import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writePrograms } from '../../scripts/bundle.mjs'
import { type AgentEvent, openCalls, turnsOf } from '../../src/core/agent/index.js'
import type { ModelMessage } from '../../src/core/model/index.js'
import { follow, notes, openConversation, openPlace, requests } from './conversation.js'

let folder: string

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notewright-killed-'))
  await writePrograms(folder, { child: resolve('test/recovery/conversation-process.ts') })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A vault that is indexed already, always at the same place, since its state is named by that. */
async function newPlace(name: string): Promise<string> {
  const place = join(folder, name)
  mkdirSync(join(place, 'vault'), { recursive: true })
  for (const [path, text] of Object.entries(notes)) writeFileSync(join(place, 'vault', path), text)
  const vault = await openPlace(place)
  await vault.notebook.update()
  await vault.close()
  cpSync(place, `${place}-template`, { recursive: true, preserveTimestamps: true })
  return place
}

function restore(place: string): void {
  rmSync(place, { recursive: true, force: true })
  cpSync(`${place}-template`, place, { recursive: true, preserveTimestamps: true })
}

/** The events shown by a process that died at a moment; without a moment, all events and the number of moments. */
async function shownUntil(place: string, moment: number): Promise<{ shown: AgentEvent[]; passed?: number }> {
  const child = spawn(process.execPath, [join(folder, 'child.mjs'), place, `${moment}`])
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const [code, signal] = await new Promise<[number | null, string | null]>((done) =>
    child.once('close', (...end) => done(end)),
  )
  if (moment > 0 && signal !== 'SIGKILL') throw new Error(`It did not die at ${moment}: ${code} ${stderr}`)
  const lines = stdout.split('\n').filter((line) => line !== '')
  const rows = lines.map((line) => JSON.parse(line))
  const passed = rows.find((row) => 'passed' in row)?.passed
  return { shown: rows.filter((row) => 'type' in row), ...(passed && { passed }) }
}

const read = (place: string, path: string) => readFileSync(join(place, 'vault', path), 'utf8')
const times = (text: string, word: string) => text.split(word).length - 1

/** The stable part of a transcript, without ids and times. */
const told = (events: readonly AgentEvent[]) =>
  events.map((event) => {
    if (event.type === 'tool-result') return `${event.type} ${event.result.name} ${event.result.ok}`
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') return event.type
    return 'text' in event ? `${event.type} ${event.text}` : event.type
  })

/** Deltas are joined as time allows. */
const withoutRepeats = (lines: string[]) => lines.filter((line, at) => line !== lines[at - 1] || !/delta$/.test(line))

function expectAnswered(messages: readonly ModelMessage[]): void {
  for (const [at, message] of messages.entries()) {
    const calls = openCalls([message])
    if (calls.length === 0) continue
    const results = messages[at + 1]
    const answered = typeof results?.content === 'string' ? [] : (results?.content ?? [])
    expect(answered.map((part) => (part as { toolCallId: string }).toolCallId)).toEqual(calls.map(({ id }) => id))
  }
}

/** Goes on where a killed process was, and looks at all it finds. */
async function resume(place: string, shown: readonly AgentEvent[], whole: readonly AgentEvent[]): Promise<void> {
  const vault = await openPlace(place)
  const stored = await vault.sessions.read('talk')
  const events = stored.map(({ event }) => event)
  // All that was shown is kept, in its order, and it is what would have been shown without a kill.
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, at) => at + 1))
  expect(events.slice(0, shown.length)).toEqual(shown)
  expect(events.length - shown.length).toBeLessThanOrEqual(2)
  const expected = withoutRepeats(told(whole))
  expect(withoutRepeats(told(events))).toEqual(expected.slice(0, withoutRepeats(told(events)).length))

  const before = { plan: read(place, 'Plan.md'), weeds: read(place, 'Weeds.md') }
  const { session, model } = await openConversation(vault, [{ say: 'Going on.' }])
  const after: AgentEvent[] = []
  const isWaiting = session.pendingApproval() !== undefined
  if (isWaiting) await follow(vault, session.resumeTurn(), (event) => after.push(event))
  await follow(vault, session.ask('And then?'), (event) => after.push(event))
  expect(after.at(-1)).toMatchObject({ type: 'run-end', reason: 'answered' })
  const prompts = model.prompts.map(({ prompt }) => prompt.filter(({ role }) => role !== 'system') as ModelMessage[])
  for (const prompt of prompts) expectAnswered(prompt)

  // Nothing is done twice, and nothing by itself: only what waited for an answer, after the answer.
  const plan = read(place, 'Plan.md')
  const [sown, dug] = [times(plan, 'Sow beans.'), times(plan, 'Dig deep.')]
  expect([sown, dug].every((count) => count <= 1)).toBe(true)
  expect(read(place, 'Weeds.md')).toBe(before.weeds)
  expect(before.weeds).toBe(notes['Weeds.md'])
  if (!isWaiting) expect(plan).toBe(before.plan)
  // Reported work is done, and the model is told of every result or that it is unknown.
  const all = [...events, ...after]
  const done = all.flatMap((event) => (event.type === 'tool-result' && event.result.ok ? [event.result.name] : []))
  if (done.includes('append_note')) expect(sown).toBe(1)
  if (done.includes('edit_note')) expect(dug).toBe(1)
  const said = JSON.stringify([prompts.at(-1), events.filter(({ type }) => type === 'compacted')])
  if (sown === 1) expect(said).toMatch(/Sow beans|They spoke of/)
  const wereBegun = turnsOf(events).flatMap(({ messages }) => openCalls(messages))
  if (before.plan !== notes['Plan.md'] && wereBegun.length > 0)
    expect(said).toMatch(/added to|replaced|edited|changed|unknown whether|It was done/i)
  await vault.close()
}

const atOnce = 2

it(
  'a conversation survives kill -9 at every moment',
  async () => {
    const places = await Promise.all(Array.from({ length: atOnce }, (_, at) => newPlace(`place-${at}`)))
    const { shown: whole, passed = 0 } = await shownUntil(places[0], 0)
    expect(whole.filter(({ type }) => type === 'run-start')).toHaveLength(requests.length)
    expect(whole.map(({ type }) => type)).toEqual(expect.arrayContaining(['compacted', 'approval-asked', 'citations']))
    expect(passed).toBeGreaterThanOrEqual(200)
    let next = 1
    const work = async (place: string) => {
      while (next <= passed) {
        const moment = next++
        restore(place)
        // The last moments may be fewer where deltas were joined otherwise.
        const { shown } = await shownUntil(place, moment)
        try {
          await resume(place, shown, whole)
        } catch (error) {
          throw new Error(`After a kill at ${moment} of ${passed}: ${(error as Error).message}`, { cause: error })
        }
      }
    }
    await Promise.all(places.map(work))
  },
  15 * 60_000,
)
