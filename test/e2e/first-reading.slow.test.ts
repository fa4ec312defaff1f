import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, it } from 'vitest'
import { program, type Stage, stage } from './cli-harness.js'
import { atTerminal, noPty } from './pty.js'

let here: Stage
beforeEach(async () => {
  here = await stage()
})
afterEach(() => here.remove())

const notes = 6000
const vocabulary = Array.from({ length: 4000 }, (_, at) => `w${(at * 7919).toString(36)}`)

/** Notes of some hundred words each, every one with others. */
async function writeNotes(): Promise<void> {
  for (let folder = 0; folder < 60; folder++) {
    await mkdir(join(here.vault, `Folder ${folder}`), { recursive: true })
    await Promise.all(
      Array.from({ length: notes / 60 }, (_, at) => {
        const words = Array.from(
          { length: 400 },
          (_, word) => vocabulary[(folder * 131 + at * 17 + word * word) % 4000],
        )
        const text = `# Topic ${folder} ${at}\n\n${words.join(' ')}. See [[Topic ${at}]].\n`
        return writeFile(join(here.vault, `Folder ${folder}`, `Topic ${folder} ${at}.md`), text)
      }),
    )
  }
}

describe.skipIf(noPty !== undefined)('a folder of 6,000 notes that has never been indexed', () => {
  it('shows a prompt before it is indexed, and answers as soon as it is', { timeout: 600_000 }, async () => {
    await writeNotes()
    const chat = atTerminal([process.execPath, program, '--vault', here.vault], here.environment)
    await chat.sees('approvals: ask')
    chat.send('when does late blight come?\r')
    await chat.sees(/late blight come\?[\s\S]*indexing/)
    await chat.sees('Late blight comes with warm rain', 180_000)
    chat.kill()
    await chat.exit()
  })
})
