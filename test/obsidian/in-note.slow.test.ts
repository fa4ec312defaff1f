import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Said } from '../e2e/model-server.js'
import { axeViolations } from '../ui/story-page.js'
import { type ModelFront, modelFront } from './model-front.js'
import { noticeSays } from './notices.js'
import { pluginBrowser } from './plugin-browser.js'
import { openPlugin, type PluginOptions, type PluginPage } from './plugin-page.js'

const browser = pluginBrowser()

const images = join(import.meta.dirname, '../../test-results/obsidian')
const append: Said = { call: [{ name: 'append_note', input: { path: 'Log.md', content: 'eight' } }] }

/** A reply in two parts, the second when it is time. */
function inTwo(first: string, second: string): { said: Said; goOn(): void } {
  let goOn = () => {}
  const until = new Promise<string>((resolve) => {
    goOn = () => resolve(second)
  })
  return { said: { stall: first, until }, goOn: () => goOn() }
}

/** An open note with a conversation, and a scripted model. */
async function inNote(
  { script, ...options }: Omit<PluginOptions, 'script'> & { script: Said[] },
  work: (plugin: PluginPage, note: Note, front: ModelFront) => Promise<void>,
): Promise<void> {
  const front = await modelFront(script)
  const plugin = await openPlugin(browser, { ...options, data: { ...front.data, ...options.data } })
  try {
    await plugin.page.evaluate('host.app.workspace.openLinkText("Talk.md", "")')
    await work(plugin, noteIn(plugin), front)
    expect(plugin.troubles).toEqual([])
  } finally {
    await plugin.close()
    await front.stop()
  }
}

interface Note {
  text(): Promise<string>
  /** Waits until it holds this. */
  holds(words: string | RegExp): Promise<void>
  /** With the keyboard, behind these words. */
  type(behind: string, words: string): Promise<void>
  undo(): Promise<void>
}

function noteIn({ page }: PluginPage): Note {
  const editor = 'host.app.workspace.getLeavesOfType("markdown").at(-1).view.editor'
  const text = () => page.evaluate(`${editor}.getValue()`) as Promise<string>
  return {
    text,
    holds: async (words) => {
      await expect.poll(text).toMatch(typeof words === 'string' ? literally(words) : words)
    },
    async type(behind, words) {
      await page.evaluate(`(() => {
        const { cm } = ${editor}
        const at = cm.state.doc.toString().lastIndexOf(${JSON.stringify(behind)})
        cm.focus()
        cm.dispatch({ selection: { anchor: at + ${behind.length} } })
      })()`)
      await page.keyboard.type(words)
    },
    async undo() {
      await page.evaluate(`${editor}.cm.focus()`)
      await page.keyboard.press('Control+z')
    },
  }
}

const literally = (words: string) => new RegExp(words.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))

describe('a conversation in a note', () => {
  it('streams its answer while the user types elsewhere, and is one undo step', async () => {
    const question = 'Add the eighth line.\n'
    const reply = inTwo('It is ', 'there now.')
    const files = { 'Talk.md': question, 'Log.md': 'one\n', 'Diary.md': '---\nprivate: true\n---\nDear diary\n' }
    await inNote({ files, script: [append, reply.said, { say: 'Yes.' }] }, async (plugin, note, { model }) => {
      const { page } = plugin
      await plugin.run('chat-in-note')
      await page.locator('.modal .nw-allow').click()
      await note.holds(/\[!tool\]- .*Log\.md\n\nIt is\n\n## role::user\n\n$/)
      await page.screenshot({ path: join(images, 'in-note-growing.png') })
      await note.type('## role::user\n\n', 'And the ninth?')
      await note.type('Add the eighth line.', ' Please.')
      reply.goOn()
      await note.holds('It is there now.\n\n## role::user\n\nAnd the ninth?')
      await expect.poll(() => plugin.read('Talk.md')).toContain('there now.')
      expect(await plugin.read('Log.md')).toBe('one\neight\n')
      expect(await axeViolations(page)).toEqual([])
      await page.screenshot({ path: join(images, 'in-note.png') })
      await plugin.run('chat-in-note')
      await note.holds('Yes.')
      const sent = JSON.stringify(model.prompts().at(-1))
      expect(sent).toContain('It is there now.')
      expect(sent).not.toContain('[!tool]')
      await note.undo()
      await note.undo()
      expect(await note.text()).toBe('Add the eighth line. Please.\nAnd the ninth?')
      await note.undo()
      await note.undo()
      expect(await note.text()).toBe(question)
      const asked = model.prompts().length
      await page.evaluate('host.app.workspace.openLinkText("Diary.md", "")')
      await plugin.run('chat-in-note')
      await noticeSays(plugin, 'This note is private')
      expect(model.prompts().length).toBe(asked)
    })
  })

  it('stops if the user types into the answer, and undo keeps their text', async () => {
    const files = { 'Talk.md': 'Which?' }
    const reply = inTwo('Two ferries go ', 'from the old port.')
    await inNote({ files, script: [reply.said] }, async (plugin, note) => {
      await plugin.run('chat-in-note')
      await note.holds('Two ferries go')
      await note.type('Two ferries', ' (MINE)')
      reply.goOn()
      await noticeSays(plugin, 'The answer in Talk.md was stopped, because you typed in it.')
      expect(await note.text()).toBe('Which?\n\n## role::assistant\n\nTwo ferries (MINE) go\n\n## role::user\n\n')
      await note.undo()
      expect(await note.text()).toBe('Which? (MINE)')
      await note.undo()
      expect(await note.text()).toBe('Which?')
    })
  })

  it('is asked as its properties say, answered at the cursor, and stopped by a command', async () => {
    const head =
      '---\nmodel: compatible/test-large\ntemperature: 0.3\nsystem_commands: [Answer in verse]\ntools: false\n---\n'
    const files = { 'Talk.md': `${head}One?\n\nMy own notes.\n` }
    const data = { generateAtCursor: true, headingLevel: 3 }
    await inNote({ files, data, script: [{ stall: 'Half an ' }] }, async (plugin, note, { model }) => {
      await note.type('One?', '')
      await plugin.run('chat-in-note')
      await note.holds(`${head}One?\n\n### role::assistant\n\nHalf an\n\n### role::user\n\n\n\nMy own notes.\n`)
      await plugin.run('stop')
      await noticeSays(plugin, 'Stopped. The text already written to Talk.md is kept.')
      const [asked] = model.prompts() as unknown as Record<string, unknown>[]
      expect(asked).toMatchObject({ model: 'test-large', temperature: 0.3 })
      expect(asked.tools).toBe(undefined)
      expect(JSON.stringify(asked.messages)).toContain('Answer in verse')
      expect(JSON.stringify(asked.messages)).not.toContain('My own notes')
      await note.undo()
      expect(await note.text()).toBe(files['Talk.md'])
    })
  })

  it('gets its answer by an undoable change if the note was closed, and nothing if it failed', async () => {
    const files = { 'Talk.md': 'Which?', 'No key.md': '---\nmodel: openai/gpt-5\n---\nWhich?' }
    const reply = inTwo('Two ferries go ', 'from the old port.')
    const refused: Said = { status: 401, error: 'Incorrect API key provided.' }
    await inNote({ files, script: [refused, reply.said] }, async (plugin, note) => {
      const { page } = plugin
      await plugin.run('chat-in-note')
      await noticeSays(plugin, 'key')
      expect(await note.text()).toBe('Which?')
      await plugin.run('chat-in-note')
      await note.holds('Two ferries go')
      await page.evaluate('host.app.workspace.getLeavesOfType("markdown").at(-1).detach()')
      expect(await plugin.read('Talk.md')).toContain('Two ferries go\n')
      reply.goOn()
      await noticeSays(plugin, 'The answer is in Talk.md.')
      expect(await plugin.read('Talk.md')).toBe(
        'Which?\n\n## role::assistant\n\nTwo ferries go from the old port.\n\n## role::user\n\n',
      )
      await plugin.run('undo-last-change')
      await page.getByRole('button', { name: /^Undo \d/ }).click()
      await expect.poll(() => plugin.read('Talk.md')).not.toContain('old port')
      await page.evaluate('host.app.workspace.openLinkText("No key.md", "")')
      await plugin.run('chat-in-note')
      await noticeSays(plugin, 'There is no API key for OpenAI')
      await noticeSays(plugin, 'Choose one under Settings → Notewright → Providers → OpenAI.')
      expect(await note.text()).toBe(files['No key.md'])
    })
  })

  it('keeps the partial answer when the plugin is disabled or the app is closed, and says so', async () => {
    const files = { 'Talk.md': 'Which?' }
    await inNote({ files, script: [{ stall: 'Two ferries go ' }] }, async (plugin, note) => {
      const { page } = plugin
      await plugin.run('chat-in-note')
      await note.holds('Two ferries go')
      await page.evaluate('host.app.workspace.getLeavesOfType("markdown").at(-1).view.save()')
      await plugin.restart()
      await noticeSays(
        plugin,
        'The answer in Talk.md was interrupted when Obsidian closed. The text already written is kept.',
      )
      expect(await plugin.read('Talk.md')).toContain('Two ferries go\n\n## role::user')
      await plugin.page.evaluate('host.app.workspace.openLinkText("Talk.md", "")')
      const again = noteIn(plugin)
      await again.type('## role::user\n\n', 'And back?')
      await plugin.run('chat-in-note')
      await again.holds(/And back\?\n\n## role::assistant\n\nTwo ferries go\n/)
      await plugin.page.evaluate('host.disable()')
      await noticeSays(plugin, 'Notewright was closed while it answered.')
      expect(await again.text()).toMatch(/And back\?\n\n## role::assistant\n\nTwo ferries go\n/)
      await again.undo()
      expect(await again.text()).toMatch(/And back\?$/)
    })
  })
})

describe('the title of a note', () => {
  it('is suggested from its text, and renames it with its links after approval', async () => {
    const files = { 'Talk.md': 'Which ferries go to the island?\n', 'Index.md': 'See [[Talk]] and [[Untitled]].\n' }
    const script: Said[] = [{ say: 'Ferries to the island' }, { say: 'Two.' }, { say: 'Two island ferries' }]
    const data = { autoInferTitle: true }
    await inNote({ files: { ...files, 'Untitled.md': 'How many?' }, script, data }, async (plugin) => {
      const { page } = plugin
      await plugin.run('infer-title')
      const rename = page.getByRole('button', { name: 'Rename and update 1 link' })
      await rename.click()
      await expect.poll(() => plugin.read('Index.md')).toBe('See [[Ferries to the island]] and [[Untitled]].\n')
      expect(await plugin.read('Ferries to the island.md')).toBe(files['Talk.md'])
      await page.evaluate('host.app.workspace.openLinkText("Untitled.md", "")')
      await plugin.run('chat-in-note')
      await rename.waitFor()
      await page.locator('.modal').getByRole('button', { name: 'Close' }).click()
      await noticeSays(plugin, 'Tool execution cancelled: rename_note')
      expect(await plugin.read('Untitled.md')).toContain('Two.')
    })
  })
})
