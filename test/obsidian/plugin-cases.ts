import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { stage } from '../e2e/cli-harness.js'
import type { Said } from '../e2e/model-server.js'
import { filesWith } from '../security/floor.js'
import { type CaseChecks, quoted } from '../security/security-case.js'
import { appendsTogether } from './appends-together.js'
import { echoedKeys } from './echoed-keys.js'
import { ask, type PluginPage, sendKeysTo } from './plugin-page.js'
import { kept, onPlugin, panel, turnIsOver } from './plugin-with-model.js'
import { stopChecks } from './stopped-turns.js'

const call = (name: string, input: unknown): Said => ({ call: [{ name, input }] })
const ok: Said = { say: 'ok' }

async function expectInert({ page }: PluginPage): Promise<void> {
  expect(await page.evaluate('typeof window.__x')).toBe('undefined')
  expect(await page.locator('.nw img, .nw iframe, .nw script, .nw video, .nw link, .nw svg image').count()).toBe(0)
}

/** Requests that are not to the model. */
const elsewhere = ({ requests }: PluginPage) => requests.filter((url) => !url.startsWith('http://127.0.0.1:'))

/** The security cases in Obsidian: the released plugin in a real browser. */
export const pluginCases: CaseChecks = {
  D03: () => {
    const notes = { 'Note.md': 'v1 [[Target]]\n', 'Target.md': '# Target\n' }
    const writes: Record<string, unknown> = {
      write_note: { path: 'Note.md', content: 'v1, written over\n' },
      edit_note: { path: 'Note.md', old_text: 'v1', new_text: 'v1, edited' },
      update_frontmatter: { path: 'Note.md', updates: { status: 'done' } },
      rename_note: { path: 'Target.md', new_path: 'Aim.md' },
    }
    return Object.entries(writes).map(([tool, input]) =>
      onPlugin(
        `${tool} of what another program has saved meanwhile: nothing of it is lost`,
        [call(tool, input), ok],
        async (plugin, { model }) => {
          await ask(plugin, 'x')
          await panel(plugin).waitFor()
          await writeFile(join(plugin.folder('garden'), 'Note.md'), 'v2 by human [[Target]]\n')
          await plugin.page.locator('.nw-allow').click()
          // The note may be shown once more as it is now; that is declined.
          await expect
            .poll(async () => {
              const deny = plugin.page.getByRole('button', { name: 'Deny', exact: true })
              if ((await deny.count()) > 0) await deny.click({ timeout: 500 }).catch(() => undefined)
              return model.prompts().length
            })
            .toBeGreaterThan(1)
          await turnIsOver(plugin)
          expect(await plugin.read('Note.md')).toContain('v2 by human')
        },
        { files: notes },
      ),
    )
  },

  D04: () => [
    onPlugin(
      'the plugin and the command line in turn: every acknowledged append is there exactly once',
      Array.from({ length: 6 }, (_, at) => [
        call('append_note', { path: 'log.md', content: `plugin ${at}` }),
        ok,
      ]).flat(),
      async (plugin) => {
        const place = await stage()
        const vault = ['--vault', plugin.folder('garden')]
        for (let at = 0; at < 6; at++) {
          const input = JSON.stringify({ path: 'log.md', content: `cli ${at}` })
          const other = await place.run(['tool', 'call', 'append_note', '--input', input, '--yes', ...vault])
          expect(other.code, other.stderr).toBe(0)
          await ask(plugin, `append ${at}`)
          await expect.poll(() => plugin.page.locator('.nw-turn-foot').count()).toBe(at + 1)
        }
        const lines = (await plugin.read('log.md')).trim().split('\n')
        const wanted = Array.from({ length: 6 }, (_, at) => [`cli ${at}`, `plugin ${at}`]).flat()
        expect(lines).toEqual(['first', ...wanted])
        await place.remove()
      },
      { files: { 'log.md': 'first\n' }, config: { consent: 'edit' } },
    ),
    onPlugin(
      'many appends at once from the plugin: each is there exactly once',
      [
        {
          call: Array.from({ length: 30 }, (_, at) => ({
            name: 'append_note',
            input: { path: 'log.md', content: `at once ${at}` },
          })),
        },
        ok,
      ],
      async (plugin) => {
        await ask(plugin, 'x')
        await turnIsOver(plugin)
        const lines = (await plugin.read('log.md')).trim().split('\n').slice(1)
        expect(lines.sort()).toEqual(Array.from({ length: 30 }, (_, at) => `at once ${at}`).sort())
      },
      { files: { 'log.md': 'first\n' }, config: { consent: 'edit' } },
    ),
    appendsTogether(),
  ],

  E03: ({ setup }) => {
    const fences = [...setup.matchAll(/```([a-z]+)(.*?)```/g)].map(
      ([, language, body]) => `\`\`\`${language}\n${body.trim()}\n\`\`\``,
    )
    const text = [
      ...fences,
      /'(<%.*?%>)'/.exec(setup)![1],
      '<iframe src="data:text/html,<script>fetch(1)</script>"></iframe>',
    ].join('\n\n')
    return [
      onPlugin(
        'an answer with executable blocks is shown as text, and nothing of it runs',
        [{ say: text }],
        async (plugin) => {
          await ask(plugin, 'x')
          await turnIsOver(plugin)
          await expectInert(plugin)
          expect(await plugin.page.innerText('.nw-log')).toContain("fetch('https://evil.test/'")
          // No other plugin's classes: post-processors look for these in what the app has rendered.
          expect(await plugin.page.locator('.nw [class*="language-"], .nw .markdown-rendered').count()).toBe(0)
          expect(elsewhere(plugin)).toEqual([])
        },
      ),
      onPlugin(
        'written to a note it is asked for by itself, and a no to that is a no',
        [call('write_note', { path: 'Made.md', content: text }), ok],
        async (plugin) => {
          await ask(plugin, 'x')
          await plugin.page.locator('.nw-allow', { hasText: 'Create Made.md' }).click()
          const second = plugin.page.getByRole('group', { name: /run/i })
          await second.waitFor()
          await expect(plugin.read('Made.md')).rejects.toThrow()
          await second.getByRole('button', { name: 'Deny', exact: true }).click()
          await turnIsOver(plugin)
          await expect(plugin.read('Made.md')).rejects.toThrow()
        },
      ),
    ]
  },

  A05: ({ setup }) => {
    const tail = quoted(setup).find((text) => text.includes('\u202e'))
    const query = `${quoted(setup)[0]}${' '.repeat(200)}${tail}`
    const content = `before \u001b[2K\u001b[1A after ${'long '.repeat(4000)}END`
    const hide = ({ page }: PluginPage) =>
      page.evaluate('host.app.workspace.getLeavesOfType("notewright-chat")[0].containerEl.setAttribute("hidden", "")')
    return [
      onPlugin(
        'what is shown for approval is complete and spelled out',
        [call('vault_search', { query }), ok],
        async (plugin) => {
          await ask(plugin, 'x')
          await panel(plugin).waitFor()
          expect(await panel(plugin).textContent()).toContain('⟦U+202E⟧gnp.md')
        },
        { config: { consent: 'ask-all' } },
      ),
      onPlugin(
        'a long text with escapes is shown whole in the window, and Enter does not allow it',
        [call('write_note', { path: 'Made.md', content }), ok],
        async (plugin) => {
          const { page } = plugin
          await ask(plugin, 'x')
          await hide(plugin)
          const modal = page.locator('.modal')
          await modal.locator('[data-panel]').waitFor()
          const shown = await modal.textContent()
          expect(shown).toContain('before ⟦U+001B⟧[2K')
          expect(shown).toContain('long END')
          await modal.locator('.nw-allow').focus()
          // In the first moment Enter does nothing at all.
          const refused = modal.getByText('Enter alone does not allow this.')
          await expect
            .poll(async () => {
              await page.keyboard.press('Enter')
              return refused.isVisible()
            })
            .toBe(true)
          for (let at = 0; at < 12 && (await modal.count()) > 0; at++) {
            await page.keyboard.press('Enter')
            await page.keyboard.press('Tab')
          }
          await expect(plugin.read('Made.md')).rejects.toThrow()
        },
      ),
    ]
  },

  X01: ({ setup }) => {
    const payloads = [...quoted(setup), '<iframe srcdoc="<script>parent.__x=1</script>"></iframe>']
    const text = payloads.join('\n\n')
    const nasty = `---\ntitle: ${JSON.stringify(payloads[0])}\ntags: [${JSON.stringify(payloads[1])}]\n---\n# ${payloads[0]}\n\nnastiness ${text}\n`
    return [
      onPlugin(
        'an answer, its reasoning and a failing tool',
        [{ think: text, call: [{ name: payloads[0], input: { query: text } }] }, { say: text }],
        async (plugin) => {
          await ask(plugin, text)
          await turnIsOver(plugin)
          await plugin.page.evaluate(
            `for (let at = 0; at < 4; at++) for (const one of document.querySelectorAll('.nw [aria-expanded="false"]')) one.click()`,
          )
          await expectInert(plugin)
          expect(await plugin.page.innerText('.nw-log')).toContain(payloads[0])
          expect(elsewhere(plugin)).toEqual([])
        },
      ),
      onPlugin(
        'a note with such a title, tags and properties, found in the search pane',
        [ok],
        async (plugin) => {
          await plugin.run('search-notes')
          await plugin.page.getByLabel('Search your notes').fill('nastiness')
          await plugin.page.locator('.nw-hit-title').first().waitFor()
          await expectInert(plugin)
        },
        { files: { 'Nasty.md': nasty } },
      ),
      onPlugin('links lead only where they may, and nothing opens by itself', [{ say: text }], async (plugin) => {
        await ask(plugin, 'x')
        await turnIsOver(plugin)
        const schemes: string[] = await plugin.page.evaluate(
          '[...document.querySelectorAll(".nw a[href]")].map((link) => link.protocol)',
        )
        expect(schemes.filter((scheme) => !['http:', 'https:', 'mailto:', 'obsidian:'].includes(scheme))).toEqual([])
        expect(plugin.context.pages()).toHaveLength(1)
      }),
    ]
  },

  E01: ({ setup }) => {
    const loads = [
      ...quoted(setup),
      '<svg><image href="https://evil.test/s"></image></svg>',
      '<p style="background:url(https://evil.test/c)">x</p>',
      '<link rel=preload href=https://evil.test/l as=image>',
      '<video poster=https://evil.test/v></video>',
      '<iframe src=https://evil.test/f></iframe>',
    ].join('\n\n')
    return [
      onPlugin('an answer that would load something loads nothing', [{ say: loads }], async (plugin) => {
        await ask(plugin, 'x')
        await turnIsOver(plugin)
        await expectInert(plugin)
        expect(elsewhere(plugin)).toEqual([])
        expect(await plugin.page.innerText('.nw-prose')).toContain('not loaded from https://evil.test/p?d=CANARY')
      }),
      onPlugin(
        'nor does what a tool has read of a note',
        [call('read_note', { path: 'Loads.md' }), { say: loads }],
        async (plugin) => {
          await ask(plugin, 'x')
          await turnIsOver(plugin)
          await expectInert(plugin)
          expect(elsewhere(plugin)).toEqual([])
        },
        { files: { 'Loads.md': `Pictures from afar.\n\n${loads}` } },
      ),
      onPlugin('the recording sees a request that is really made', [ok], async (plugin) => {
        await plugin.page.evaluate(`fetch('https://evil.test/').catch(() => undefined)`)
        expect(elsewhere(plugin)).toEqual(['https://evil.test/'])
        plugin.troubles.splice(0)
      }),
    ]
  },

  K01: ({ setup }) => {
    const key = 'sk-test-CANARYKEY0123456789'
    const data = { secrets: { compatible: 'canary' }, debug: true }
    return [
      echoedKeys(),
      onPlugin(
        'a key that a server echoes stands in no answer, log, session or file of the vault',
        [{ status: 401, error: `Incorrect API key provided: ${key}` }],
        async (plugin, { url }) => {
          expect(setup).toContain('CANARYKEY')
          const said: string[] = []
          plugin.page.on('console', (message) => said.push(message.text()))
          await plugin.page.evaluate(`host.app.secretStorage.setSecret('canary', '${key}')`)
          await sendKeysTo(plugin, { compatible: url })
          for (const question of ['one', 'two']) await ask(plugin, question)
          await turnIsOver(plugin)
          await plugin.run('open-activity')
          expect(await plugin.page.innerText('body')).not.toContain('CANARYKEY')
          expect(await kept(plugin)).not.toContain('CANARYKEY')
          expect(await kept(plugin)).toContain('Incorrect API key provided')
          expect(said.join('\n')).not.toContain('CANARYKEY')
        },
        { data },
      ),
      onPlugin(
        'the settings hold its name alone',
        [ok],
        async (plugin, { url }) => {
          await plugin.page.evaluate(`host.app.secretStorage.setSecret('canary', '${key}')`)
          await sendKeysTo(plugin, { compatible: url })
          await ask(plugin, 'x')
          await turnIsOver(plugin)
          expect(JSON.stringify(await plugin.settings())).toContain('"canary"')
          expect(filesWith(plugin.folder('garden'), 'CANARYKEY')).toEqual([])
        },
        { data },
      ),
    ]
  },

  L02: stopChecks,
}
