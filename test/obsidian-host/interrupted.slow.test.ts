import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../browser/open-browser.js'
import type { CutOff, Outcome } from './cut-off.js'
import { type ObsidianHost, openHost, pageScript } from './open-host.js'

let browser: Browser
let host: ObsidianHost
beforeAll(async () => {
  const script = pageScript(join(import.meta.dirname, 'in-page/interrupted.ts'))
  browser = await openBrowser()
  host = await openHost(browser, { script: await script })
  await host.page.evaluate('host.open("first")')
})
afterAll(async () => {
  await host?.close()
  await browser?.close()
})

const cutOff = (options: CutOff): Promise<Outcome> => host.page.evaluate(`cutOff(${JSON.stringify(options)})`)

const before = { 'a.md': 'first\n', 'b.md': 'see [[a]]\n', 'c.md': 'third\n', 'd.md': 'fourth\n' }
const after = { 'new/z.md': 'first\n', 'b.md': 'see [[z]]\n', 'c.md': 'third\nmore\n', 'e.md': 'fifth\n' }

/** More calls to the disk than the change takes. */
const most = 14

describe('an interrupted change in Obsidian', () => {
  it('at any disk call is complete or undone after the next start, which reports it', async () => {
    const seen = new Set<string>()
    for (const torn of [false, true]) {
      for (let calls = 0; calls < most; calls++) {
        const { notes, states, unsettled, isDone } = await cutOff({ after: calls, torn })
        const went = states[0] === 'applied' ? after : before
        expect(notes, `after ${calls} calls, torn: ${torn}, ${states}`).toEqual(went)
        expect(unsettled).toEqual([])
        if (isDone) expect(states).toEqual(['applied'])
        seen.add(states[0])
      }
    }
    expect([...seen].sort()).toEqual(['applied', 'rolled-back'])
  })

  it('leaves a note alone that someone changed in the meantime, and names it', async () => {
    const outcomes: Outcome[] = []
    for (let calls = 1; calls < most; calls++) outcomes.push(await cutOff({ after: calls, meanwhile: 'b.md' }))
    for (const { notes } of outcomes) expect(notes['b.md']).toBe('by a person\n')
    const cut = outcomes.filter(({ isDone }) => !isDone)
    expect(cut.some(({ unsettled }) => unsettled.includes('b.md'))).toBe(true)
    // All other notes are on one side.
    for (const { notes } of cut) expect([before['c.md'], after['c.md']]).toContain(notes['c.md'])
  })
})
