import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Loopback } from '../providers/loopback.js'
import { blocksOf, isCommands, pages } from './blocks.js'
import { localModels } from './local-models.js'
import { runPage } from './run-page.js'

let models: Loopback

beforeAll(async () => {
  models = await localModels()
})

afterAll(() => models.stop())

const withCommands = pages().filter((page) => blocksOf(page).some((block) => isCommands(block) && !block.notRun))

describe('the commands of a page', () => {
  it.concurrent.each(withCommands)('%s do what the page says', async (page) => {
    expect(await runPage(page, models)).toBe('')
  })
})

describe('a page', () => {
  const folder = mkdtempSync(join(tmpdir(), 'notewright-page-'))
  const page = join(folder, 'page.md')
  const run = (text: string) => {
    writeFileSync(page, text.replaceAll("'''", '```'))
    return runPage(page, models)
  }
  afterAll(() => rmSync(folder, { recursive: true }))

  it('that works is run with its files, its variables and what keeps running', async () => {
    const text = `
<!-- file: ~/words.txt -->
'''md
one
two
'''

<!-- keeps running -->
'''sh
echo started && sleep 600
'''

'''sh
words=$(cat ~/words.txt)
'''

<!-- exit code: 3 -->
'''sh
echo "$words" && (exit 3)
'''

'''output
o…
…
'''
`
    expect(await run(text)).toBe('')
  })

  it('with a command that fails is reported with its line and messages', async () => {
    expect(await run(`\n'''sh\necho before && cat nowhere.md\n'''\n`)).toMatch(
      /page\.md:2 ends with exit code 1\.\n[\s\S]*before\n.*nowhere\.md/,
    )
  })

  it('that shows other output is reported with what was printed', async () => {
    expect(await run(`'''sh\necho two\n'''\n\n'''output\none\n'''\n`)).toMatch(/page\.md:1 prints .*\ntwo/)
  })

  it('with a misspelt mark is refused', async () => {
    await expect(run(`<!-- not ran: no network -->\n'''sh\nls\n'''\n`)).rejects.toThrow('page.md:1')
  })
})
