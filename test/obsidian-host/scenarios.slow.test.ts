import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dialectsToTry } from '../agent/in-dialect.js'
import { playInDialect } from '../agent/play-in-dialect.js'
import { scenarios } from '../agent/scenarios.js'
import { type ToldScenario, toldScenario } from '../agent/told-scenario.js'
import { openBrowser } from '../browser/open-browser.js'
import { openHost, pageScript } from './open-host.js'

const there = await inChromium()

describe('a turn of the agent in Obsidian, in a real browser', () => {
  const cases = scenarios.flatMap((scenario) => dialectsToTry.map((dialect) => ({ scenario, dialect })))

  it.each(cases)('has the same decisions, text and changes as on Node: $scenario.name, $dialect', async (one) => {
    const { scenario, dialect } = one
    for (const stream of [true, false]) {
      const here = toldScenario(scenario, dialect, stream, await playInDialect(scenario, dialect, stream))
      expect(there.find(({ name }) => name === here.name)).toEqual(here)
    }
  })
})

async function inChromium(): Promise<ToldScenario[]> {
  const browser = await openBrowser()
  try {
    const host = await openHost(browser, {
      script: await pageScript(join(import.meta.dirname, 'in-page/scenarios.ts')),
    })
    return await host.page.evaluate('playScenarios()')
  } finally {
    await browser.close()
  }
}
