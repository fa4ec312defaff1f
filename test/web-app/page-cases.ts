import { expect } from 'vitest'
import { filesWith } from '../security/floor.js'
import { type CaseChecks, quoted } from '../security/security-case.js'
import { foreignRequests } from './foreign-requests.js'
import { expectInert, onPage, openFound, unfold } from './page-with-model.js'
import { ask, backToChat, chooseSetting, pressUntil, showView } from './served-page.js'

/** Attacks by notes, models and tools that must fail in a real browser, against the program as a user starts it. */
export const pageCases: CaseChecks = {
  ...foreignRequests,

  X01: ({ setup }) => {
    const payloads = [...quoted(setup), '<iframe srcdoc="<script>parent.__x=1</script>"></iframe>']
    const text = payloads.join('\n\n')
    return [
      onPage(
        'an answer, its reasoning and a failing tool',
        [{ think: text, call: [{ name: payloads[0], input: { query: text } }] }, { say: text }],
        async (page) => {
          await ask(page, text)
          await page.locator('.nw-turn-foot').waitFor()
          await unfold(page)
          await expectInert(page)
          expect(await page.innerText('.nw-log')).toContain(payloads[0])
        },
      ),
      onPage(
        'a note with such a title, tags and properties, found and opened',
        [{ say: 'ok' }],
        async (page, place) => {
          await place.write(
            'Nasty.md',
            `---\ntitle: ${JSON.stringify(payloads[0])}\ntags: [${JSON.stringify(payloads[1])}]\n---\n# ${payloads[0]}\n\nnastiness ${text}\n`,
          )
          await openFound(page, 'nastiness')
          await unfold(page)
          await expectInert(page)
          expect(await page.innerText('.nw-note')).toContain('onerror')
        },
      ),
      onPage('links lead only where a browser may go, and nothing opens by itself', [{ say: text }], async (page) => {
        await ask(page, 'x')
        await page.locator('.nw-turn-foot').waitFor()
        const schemes: string[] = await page.evaluate(
          '[...document.querySelectorAll("a")].map((link) => link.protocol)',
        )
        expect(schemes.filter((scheme) => !['http:', 'https:', 'mailto:', 'obsidian:'].includes(scheme))).toEqual([])
        expect(page.context().pages()).toHaveLength(1)
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
    ]
    return [
      onPage(
        'an answer that would load something loads nothing',
        [{ say: loads.join('\n\n') }],
        async (page, _place, requests) => {
          await ask(page, 'x')
          await page.locator('.nw-turn-foot').waitFor()
          // Drawn as Markdown.
          await page.locator('.nw-prose').getByText('not loaded from https://evil.test/p?d=CANARY').first().waitFor()
          expect(requests.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([])
        },
      ),
      onPage('nor does a note', [{ say: 'ok' }], async (page, place, requests) => {
        await place.write('Loads.md', `Pictures from afar.\n\n${loads.join('\n\n')}`)
        await openFound(page, 'pictures from afar')
        await page.locator('.nw-note').getByText('not loaded from https://evil.test/p?d=CANARY').first().waitFor()
        expect(requests.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([])
      }),
      onPage('and the page would not be let to', [{ say: 'ok' }], async (page) => {
        const policy = (await (await fetch(new URL(page.url()).origin)).headers.get('content-security-policy')) ?? ''
        for (const part of ["default-src 'none'", "img-src 'self' data:", "connect-src 'self'", "frame-src 'self'"]) {
          expect(policy).toContain(part)
        }
        const blocked = await page.evaluate(`fetch('https://evil.test/').then(() => 'sent', () => 'blocked')`)
        expect(blocked).toBe('blocked')
      }),
    ]
  },

  K01: ({ setup }) => [
    onPage(
      'a key that is typed into the settings stands in no answer, page or file but its own',
      [{ status: 401, error: 'Incorrect API key provided: sk-test-CANARYKEY0123456789' }, { say: 'ok' }],
      async (page, place) => {
        expect(setup).toContain('CANARYKEY')
        await showView(page, 'Settings')
        const openai = page.getByRole('group', { name: 'OpenAI', exact: true })
        await openai.getByRole('button', { name: 'Connect OpenAI' }).click()
        await openai.getByLabel('API key of OpenAI').fill('sk-test-CANARYKEY0123456789')
        await openai.getByRole('button', { name: 'Connect', exact: true }).click()
        await openai.getByText('Key in a private file').waitFor()
        await backToChat(page)
        await ask(page, 'x')
        await page.locator('.nw-turn-foot').waitFor()
        for (const path of ['settings', 'keys', 'providers', 'overview', 'activity', 'sessions']) {
          const told = await page.evaluate(`apiFetch('${path}').then((answer) => answer.text())`)
          expect(told).not.toContain('CANARYKEY')
        }
        expect(filesWith(place.home, 'CANARYKEY')).toEqual([expect.stringMatching(/keys.openai/)])
        expect(filesWith(place.vault, 'CANARYKEY')).toEqual([])
      },
    ),
    onPage('a setting that is a secret is kept, and never told again', [{ say: 'ok' }], async (page, place) => {
      await showView(page, 'Settings')
      await page.getByRole('button', { name: 'All settings' }).click()
      await page.getByLabel('Find a setting').fill('web.searchKey')
      await page.getByLabel('web.searchKey').fill('sk-test-CANARYKEY0123456789')
      await page.locator('.page-section').getByRole('button', { name: 'Save' }).click()
      await page.getByText('Saved.').waitFor()
      expect(await page.evaluate(`apiFetch('settings').then((answer) => answer.text())`)).not.toContain('CANARYKEY')
      expect(await page.getByLabel('web.searchKey').inputValue()).toBe('')
      expect(filesWith(place.home, 'CANARYKEY')).toEqual(['config.json'])
    }),
  ],

  A05: ({ setup }) => {
    const tail = quoted(setup).find((text) => text.includes('\u202e'))
    const path = `${quoted(setup)[0]}${' '.repeat(200)}${tail}`
    const content = `before \u001b[2K\u001b[1A after ${'long '.repeat(4000)}END`
    return [
      onPage(
        'what is shown for approval is complete and spelled out',
        [{ call: [{ name: 'vault_search', input: { query: path } }] }, { say: 'ok' }],
        async (page) => {
          await chooseSetting(page, 'Approvals', 'Ask every time')
          await ask(page, 'x')
          await page.locator('[data-panel]').waitFor()
          expect(await page.locator('[data-panel]').textContent()).toContain('⟦U+202E⟧gnp.md')
        },
      ),
      onPage(
        'a long text with escapes is shown whole, and Enter does not allow it',
        [{ call: [{ name: 'write_note', input: { path: 'Made.md', content } }] }, { say: 'ok' }],
        async (page, place) => {
          await ask(page, 'x')
          await page.locator('[data-panel]').waitFor()
          const shown = await page.locator('[data-panel]').textContent()
          expect(shown).toContain('before ⟦U+001B⟧[2K')
          expect(shown).toContain('long END')
          const panel = page.locator('[data-panel]')
          await panel.locator('.nw-allow').focus()
          // In the first moment Enter does nothing at all.
          await pressUntil(page, 'Enter', () => panel.getByText('Enter alone does not allow this.').isVisible())
          for (let at = 0; at < 12; at++) {
            await page.keyboard.press('Enter')
            await page.keyboard.press('Tab')
          }
          await expect(place.read('Made.md')).rejects.toThrow()
        },
      ),
    ]
  },

  A06: () => [
    onPage(
      'two clicks at once decide once, and a stopped turn leaves nothing to click',
      [
        { call: [{ name: 'write_note', input: { path: 'A.md', content: 'a' } }] },
        { call: [{ name: 'write_note', input: { path: 'B.md', content: 'b' } }] },
        { say: 'ok' },
      ],
      async (page, place) => {
        await ask(page, 'x')
        await page.locator('.nw-allow', { hasText: 'Create A.md' }).dblclick()
        await page.locator('.nw-allow', { hasText: 'Create B.md' }).waitFor()
        expect(await place.read('A.md')).toBe('a')
        await page.getByRole('button', { name: /^Stop/ }).click()
        await page.locator('.nw-turn-foot').waitFor()
        expect(await page.locator('[data-panel]').count()).toBe(0)
        await expect(place.read('B.md')).rejects.toThrow()
      },
    ),
    onPage(
      'many asks become one list, in which nothing is kept yet',
      [
        {
          call: Array.from({ length: 20 }, (_, at) => ({
            name: 'write_note',
            input: { path: `N${at}.md`, content: 'n' },
          })),
        },
        { say: 'ok' },
      ],
      async (page, place) => {
        await ask(page, 'x')
        const panel = page.locator('[data-panel]')
        await panel.getByText('Make these 20 calls?').waitFor()
        expect(await panel.locator('.nw-batch .nw-keep-yes[aria-pressed="true"]').count()).toBe(0)
        await panel.getByRole('button', { name: 'Deny all', exact: true }).click()
        await page.locator('.nw-turn-foot').waitFor()
        await expect(place.read('N19.md')).rejects.toThrow()
      },
    ),
    onPage(
      'an old tab cannot answer again',
      [{ call: [{ name: 'write_note', input: { path: 'A.md', content: 'a' } }] }, { say: 'ok' }],
      async (page, place) => {
        await ask(page, 'x')
        await page.locator('[data-panel]').waitFor()
        const old = await page.context().newPage()
        await old.goto(page.url())
        await old.locator('[data-panel]').waitFor()
        await page.getByRole('button', { name: 'Deny', exact: true }).click()
        await page.locator('.nw-turn-foot').waitFor()
        await expect.poll(() => old.locator('[data-panel]').count()).toBe(0)
        await expect(place.read('A.md')).rejects.toThrow()
      },
    ),
  ],
}
