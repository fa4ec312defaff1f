import { describe, expect, it } from 'vitest'
import { testContext } from '../../../test/tools/call-tool.js'
import { estimateTokens } from '../text/index.js'
import { overviewTokens, vaultOverview } from './vault-overview.js'

describe('the overview of a vault', () => {
  it('counts folders, tags and properties, without hidden notes', async () => {
    const { index } = await testContext({
      'Books/Dune.md': '---\nstatus: read\n---\n#book',
      'Books/Old/Emma.md': '#book #classic',
      'Inbox.md': '',
      'Diary/Secret.md': '---\nprivate: true\nmood: low\n---\n#secret',
    })
    const overview = await vaultOverview(index, overviewTokens.usual)
    expect(overview?.text).toBe(
      'The vault has 3 notes.\nFolders: Books 2.\nTags: #book 2, #classic 1.\nProperties: status 1.',
    )
  })

  it('stays within its tokens for many long names', async () => {
    const names = Array.from({ length: 400 }, (_, number) => `${'long name '.repeat(12)}${number}`)
    const files = names.map((name, at) => [
      `${name}/${at}.md`,
      `---\n"property ${name}": 1\n---\n#tag${'x'.repeat(80)}${at}`,
    ])
    const { index } = await testContext(Object.fromEntries(files))
    for (const tokens of Object.values(overviewTokens)) {
      const overview = await vaultOverview(index, tokens)
      expect(estimateTokens(overview?.text ?? '')).toBeLessThanOrEqual(300)
      expect(estimateTokens(overview?.text ?? '')).toBeLessThanOrEqual(tokens + 10)
      expect(overview?.text).toMatch(/Folders: .*, and \d+ more\./)
    }
    expect(await vaultOverview((await testContext({})).index, 300)).toBeUndefined()
  })
})
