import { describe, expect, it } from 'vitest'
import { testContext } from '../../tools/testing/test-context.js'
import { guard } from '../guard.js'
import { testVocabulary as vocabulary } from '../testing/vocabulary.js'
import { scopeRules } from './scope-rules.js'

const files = { 'A/One.md': 'one', 'B/Two.md': 'two', 'C/Three.md': 'three', 'AB/Four.md': 'four', 'Top.md': 'top' }

async function seen(scope: Parameters<typeof scopeRules>[0]) {
  const context = await testContext(files)
  const { vault } = guard({ level: 'auto', rules: scopeRules(scope), vocabulary }).screen(context)
  return (await vault.files()).map(({ path }) => path)
}

describe('a session that is kept to folders', () => {
  it('sees what lies in any of them, and nothing else', async () => {
    expect(await seen({ reads: ['A', 'B/'] })).toEqual(['A/One.md', 'B/Two.md'])
  })

  it('sees what it may write', async () => {
    expect(await seen({ reads: ['A'], writes: ['C'] })).toEqual(['A/One.md', 'C/Three.md'])
  })

  it('sees everything where only writing is kept to a folder', async () => {
    expect(await seen({ writes: ['C'] })).toEqual(Object.keys(files).sort())
  })

  it.each(['../other', '/etc', ''])('refuses %j for a folder', (folder) => {
    expect(() => scopeRules({ reads: [folder] })).toThrow()
  })
})
