import { describe, expect, it } from 'vitest'
import { memoryVault } from '../vault/index.js'
import { vaultInstructions } from './turn-context.js'

describe('AGENTS.md', () => {
  async function read(files: Record<string, string>) {
    const troubles: string[] = []
    const observed: string[] = []
    const vault = memoryVault({ files })
    const guard = {
      filterVisible: (context: unknown) => context,
      observe: (seen: string[]) => void observed.push(...seen),
    }
    const [{ text } = { text: undefined }] = await vaultInstructions(
      { guard, context: { vault } } as never,
      (trouble) => troubles.push(trouble),
    )
    return { text, troubles, observed }
  }

  it('is read, and counts as a note of the user from then on', async () => {
    expect(await read({ 'AGENTS.md': 'Answer briefly.' })).toEqual({
      text: 'Answer briefly.',
      troubles: [],
      observed: ['own-note'],
    })
    expect(await read({ 'Sub/AGENTS.md': 'Not this one.' })).toEqual({ text: undefined, troubles: [], observed: [] })
  })

  it('is cut at 32 KB, between characters, and says so', async () => {
    const { text = '', troubles } = await read({ 'AGENTS.md': `x${'é'.repeat(40_000)}` })
    expect(text).toMatch(/^xé+\n\[the rest, \d+ bytes, was omitted\]$/)
    expect(new TextEncoder().encode(text).length).toBeLessThan(33 * 1024)
    expect(troubles).toHaveLength(1)
  })
})
