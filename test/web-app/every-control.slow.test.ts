import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openForTests } from '../browser/open-for-tests.js'
import type { Stage } from '../e2e/cli-harness.js'
import { type Screen, useEveryControl } from './controls.js'
import { ask, newChat, openPage, showView } from './served-page.js'

let place: Stage
let page: Page
let troubles: string[]

const peas = `---
tags: [garden/legumes]
site: https://example.com/peas
keeper: "[[Garden/Beans]]"
---
They follow [[Garden/Beans|the beans]]. [More](https://example.com/more)

## Soil

Peas like lime.

## Water

## Harvest
`

openForTests(async () => {
  const opened = await openPage(
    async (place) => {
      await place.write('Peas.md', peas)
      await place.write('Linker.md', 'see [[Peas]]\n')
      await place.write('Notewright memory.md', '- I like soup\n')
      await place.write('Plot.md', '---\nnotewright: project\nfolders: [Garden]\n---\n')
    },
    { viewport: { width: 1300, height: 850 } },
  )
  ;({ place, page, troubles } = opened)
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  return opened
})

const field = () => page.getByLabel('Your question')
const side = (name: string) => page.getByRole('complementary', { name })
const title = (name: string) => page.getByRole('heading', { name, level: 1 })
const toast = (words: string) => page.locator('.nw-toast', { hasText: words }).waitFor()
const menu = () => page.getByRole('menu')
const panel = () => page.locator('[data-panel]')
const turns = () => page.locator('.nw-turn')
const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
const lastTurn = () => turns().last()

/** Presses the control, and waits for what it brings. */
const brings = (result: () => Locator) => async (control: Locator) => {
  await control.click()
  await result().first().waitFor()
}
/** The control opens a menu, which Escape closes. */
const opensMenu = async (control: Locator) => {
  await control.click()
  await menu().waitFor()
  await page.keyboard.press('Escape')
  await menu().waitFor({ state: 'detached' })
}
/** Writes into a field, and looks at what stands there. */
const takes = (text: string) => async (control: Locator) => {
  await control.fill(text)
  expect(await control.inputValue()).toBe(text)
  await control.fill('')
}
/** Turns a switch, which is kept, and back. */
const turnsTo = async (control: Locator) => {
  const before = await control.isChecked()
  await control.click()
  await expect.poll(() => control.isChecked()).toBe(!before)
  await control.click()
  await expect.poll(() => control.isChecked()).toBe(before)
}
const leads = (address: string | RegExp) => async (control: Locator) => {
  expect(await control.getAttribute('href')).toMatch(address)
}

/** Opens what is folded, or folds what is open. */
const togglesFold = async (control: Locator) => {
  const before = await control.getAttribute('aria-expanded')
  await control.click()
  await expect.poll(() => control.getAttribute('aria-expanded')).not.toBe(before)
}

async function fresh(): Promise<void> {
  await page.keyboard.press('Escape')
  await expect
    .poll(async () => {
      const deny = panel().getByRole('button', { name: /^Deny/ })
      if ((await deny.count()) > 0) await deny.click({ timeout: 1000 }).catch(() => {})
      return panel().count()
    })
    .toBe(0)
  await newChat(page)
  await field().fill('')
}
async function answeredChat(): Promise<void> {
  await fresh()
  await ask(page, 'What do beans climb?')
  await lastTurn().locator('.nw-turn-foot').waitFor()
  await title('What do beans climb').waitFor()
}
async function changeSomething(): Promise<void> {
  await fresh()
  await ask(page, 'append "- chard" to Garden/Compost')
  await panel().locator('.nw-allow').click()
  await lastTurn().locator('.nw-turn-foot').waitFor()
  await lastTurn().getByRole('button', { name: 'Review' }).waitFor()
}
async function openMenu(name: RegExp): Promise<void> {
  await fresh()
  await page.locator('.nw-composer').getByRole('button', { name }).click()
  await menu().waitFor()
}
const chosen = (button: RegExp) => async (control: Locator) => {
  await control.click()
  await page.locator('.nw-composer').getByRole('button', { name: button }).waitFor()
}
const region = (name: string) => () => page.getByRole('region', { name, exact: true })

const shell: Screen[] = [
  {
    name: 'the sidebar',
    scope: '.page-sidebar',
    async open() {
      await answeredChat()
      await page.locator('.page-chat-line').first().waitFor()
    },
    controls: [
      [
        /^button Hide sidebar$/,
        async (control) => {
          await control.click()
          await page.getByRole('button', { name: 'Show sidebar' }).click()
          await page.locator('.page-sidebar').waitFor()
        },
      ],
      [/^button New chat/, brings(() => page.locator('.page-welcome'))],
      [/^button Chats/, brings(region('Chats'))],
      [/^button Search/, brings(region('Search'))],
      [/^button Activity/, brings(region('Activity'))],
      [/^button Check vault$/, brings(region('Check vault'))],
      [/^button What do beans climb/, brings(() => title('What do beans climb'))],
      [/^button More for /, opensMenu],
      [
        /^button (?:Garden|Kitchen) \d+$/,
        async (control) => {
          await control.click()
          await page.locator('.page-tree').getByRole('button', { name: 'Beans', exact: true }).first().waitFor()
          await control.click()
        },
      ],
      [
        /^button (?:Home|Linker|Notewright memory|Orphan|Peas|Plot)$/,
        brings(() => page.locator('.page-note .nw-note')),
      ],
      [/^button Settings/, brings(region('Settings'))],
      [/^button Theme: /, opensMenu],
    ],
  },
  {
    name: 'the menu of a theme',
    scope: '[role=menu]',
    async open() {
      await fresh()
      await page.getByRole('button', { name: /^Theme: / }).click()
    },
    controls: (['Light', 'Dark', 'Same as system'] as const).map((name) => [
      new RegExp(`^menuitemradio ${name}`),
      brings(() => page.getByRole('button', { name: `Theme: ${name.toLowerCase()}` })),
    ]),
  },
  {
    name: 'the header of a chat',
    scope: '.page-head',
    open: answeredChat,
    controls: [
      [/^button Notes in this chat$/, brings(() => side('Notes in this chat'))],
      [/^button More for this chat$/, opensMenu],
      [/^button Command palette/, brings(() => page.getByRole('dialog', { name: 'Command palette' }))],
    ],
  },
  {
    name: 'the menu of a chat',
    scope: '[role=menu]',
    async open() {
      await answeredChat()
      await page.locator('.page-head').getByRole('button', { name: 'More for this chat' }).click()
    },
    controls: [
      [/^menuitem Rename/, brings(() => page.getByLabel('Title of the chat'))],
      [/^menuitem (?:Pin|Unpin)/, brings(() => page.locator('.page-sidebar').getByRole('heading', { name: 'Pinned' }))],
      [
        /^menuitem Duplicate/,
        async (control) => {
          const rows = page.locator('.page-chat-line')
          const before = await rows.count()
          await control.click()
          await expect.poll(() => rows.count()).toBe(before + 1)
        },
      ],
      [
        /^menuitem Export/,
        async (control) => {
          const download = page.waitForEvent('download')
          await control.click()
          expect((await download).suggestedFilename()).toMatch(/\.md$/)
        },
      ],
      [
        /^menuitem Delete/,
        async (control) => {
          await control.click()
          await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
          await toast('Chat deleted.')
        },
      ],
    ],
  },
  {
    name: 'the command palette',
    scope: 'dialog[open]',
    async open() {
      await fresh()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog', { name: 'Command palette' }).waitFor()
      await page.keyboard.type('settings')
    },
    controls: [
      [/^(?:textbox|combobox) /, takes('beans')],
      [/^option Settings/, brings(region('Settings'))],
      [
        /^option Ask /,
        async (control) => {
          await control.click()
          await expect.poll(() => field().inputValue()).toBe('settings')
        },
      ],
      [/^option Search notes for /, brings(region('Search'))],
      [/^option /, (control) => control.waitFor()],
    ],
  },
  {
    name: 'the keyboard shortcuts',
    scope: 'dialog[open]',
    async open() {
      await fresh()
      await page.getByRole('button', { name: 'Hide sidebar' }).focus()
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
    controls: [
      [/^switch Shortcuts of a single key/, turnsTo],
      [
        /^button Close/,
        async (control) => {
          await control.click()
          await expect.poll(() => page.locator('dialog[open]').count()).toBe(0)
        },
      ],
    ],
  },
]

const chat: Screen[] = [
  {
    name: 'the welcome',
    scope: '.page-welcome',
    open: fresh,
    controls: [
      [/^button All providers$/, brings(region('Settings'))],
      [
        /^button Refresh (?:Ollama|LM Studio)$/,
        brings(() => page.locator('.page-welcome', { hasText: 'Not running' })),
      ],
      [/^button Add key: /, brings(() => page.locator('.page-settings, .page-welcome input'))],
    ],
  },
  {
    name: 'the composer',
    scope: '.nw-composer',
    open: fresh,
    controls: [
      [/^textbox Your question$/, takes('half a sentence')],
      [/^button Add a file or note$/, opensMenu],
      [/^button Approvals: /, opensMenu],
      [/^button Project: /, opensMenu],
      [/^button Mode: /, opensMenu],
      [/^button Model: /, opensMenu],
      [
        /^button Send$/,
        async (control) => {
          expect(await control.isDisabled()).toBe(true)
          await field().fill('What do beans climb?')
          await control.click()
          await lastTurn().locator('.nw-turn-foot').waitFor()
        },
      ],
    ],
  },
  {
    name: 'the menu that adds something',
    scope: '[role=menu]',
    open: () => openMenu(/^Add a file/),
    controls: [
      [
        /^menuitem Attach files/,
        async (control) => {
          const chooser = page.waitForEvent('filechooser')
          await control.click()
          expect((await chooser).isMultiple()).toBe(true)
        },
      ],
      [/^menuitem Name a note/, brings(() => page.getByRole('listbox', { name: 'Suggestions' }))],
    ],
  },
  {
    name: 'the suggestions',
    scope: '.nw-suggestions',
    async open() {
      await fresh()
      await field().pressSequentially('@bean')
    },
    controls: [
      [
        /^option /,
        async (control) => {
          await control.click()
          await expect.poll(() => field().inputValue()).toMatch(/^@\[\[.*Beans\]\] $/)
          await field().fill('')
        },
      ],
    ],
  },
  {
    name: 'the approvals',
    scope: '[role=menu]',
    open: () => openMenu(/^Approvals: /),
    controls: [
      ...['Read only', 'Ask every time', 'Edit freely', 'Never ask', 'Rules only', 'Ask first'].map(
        (level): Screen['controls'][number] => [
          new RegExp(`^menuitemradio ${level}`),
          chosen(new RegExp(`^Approvals: ${level}`)),
        ],
      ),
      [/^menuitem Approval settings/, brings(region('Settings'))],
    ],
  },
  {
    name: 'the modes',
    scope: '[role=menu]',
    open: () => openMenu(/^Mode: /),
    controls: ['Without notes', 'Quick answer', 'Plan first', 'Agent'].map((mode) => [
      new RegExp(`^menuitemradio ${mode}`),
      chosen(new RegExp(`^Mode: ${mode}`)),
    ]),
  },
  {
    name: 'the models',
    scope: '[role=menu]',
    open: () => openMenu(/^Model: /),
    controls: [
      [/^menuitemradio No model/, chosen(/^Model: No model/)],
      [/^menuitem Connect another model/, brings(region('Settings'))],
    ],
  },
  {
    name: 'the projects',
    scope: '[role=menu]',
    open: () => openMenu(/^Project: /),
    controls: [
      [/^menuitemradio Plot/, chosen(/^Project: Plot/)],
      [/^menuitemradio Whole vault/, chosen(/^Project: Whole vault/)],
    ],
  },
  {
    name: 'an answer',
    scope: '.nw-turn',
    open: answeredChat,
    controls: [
      [/^button Edit$/, brings(() => page.getByRole('form', { name: 'Edit the question' }))],
      [
        /^button Copy question$/,
        async (control) => {
          await control.click()
          await expect.poll(copied).toBe('What do beans climb?')
        },
      ],
      [/^button Searched notes/, brings(() => lastTurn().locator('[aria-expanded=true]'))],
      [/^button Source 1/, brings(() => page.locator('.page-side .nw-passage'))],
      [/^button 1 /, brings(() => page.locator('.page-side .nw-passage'))],
      [
        /^button Copy answer$/,
        async (control) => {
          await control.click()
          await expect.poll(copied).toContain('Beans climb poles')
        },
      ],
      [/^button Settings → Models$/, brings(() => page.getByRole('heading', { name: 'Models' }))],
      [/^button Retry$/, brings(() => lastTurn().getByText('2 / 2'))],
      [
        /^button Branch to a new chat$/,
        async (control) => {
          const before = page.url()
          await control.click()
          await expect.poll(() => page.url()).not.toBe(before)
        },
      ],
    ],
  },
  {
    name: 'the versions of a question',
    scope: '.nw-turn .nw-versions',
    async open() {
      await answeredChat()
      await lastTurn().getByRole('button', { name: 'Retry' }).click()
      await lastTurn().getByText('2 / 2').waitFor()
      await lastTurn().locator('.nw-turn-foot').waitFor()
    },
    controls: [
      [/^button Earlier version$/, brings(() => lastTurn().getByText('1 / 2'))],
      [
        /^button Later version$/,
        async (control) => {
          await lastTurn().getByRole('button', { name: 'Earlier version' }).click()
          await lastTurn().getByText('1 / 2').waitFor()
          await control.waitFor({ state: 'detached' }).catch(() => {})
          await lastTurn().getByRole('button', { name: 'Later version' }).click()
          await lastTurn().getByText('2 / 2').waitFor()
        },
      ],
    ],
  },
  {
    name: 'an approval',
    scope: '[data-panel]',
    async open() {
      await fresh()
      await ask(page, 'append "- leeks" to Garden/Beans')
      await panel().waitFor()
    },
    controls: [
      [/^button Garden\/Beans\.md$|^button Add to Garden\/Beans\.md$/, togglesFold],
      [/^button Edit$/, brings(() => panel().getByLabel('Text to add to Garden/Beans.md'))],
      [/^button Add a reason$/, brings(() => panel().getByLabel('Reason (sent to the model)'))],
      [/^button Remember this choice$/, opensMenu],
      [
        /^button Deny$/,
        async (control) => {
          await control.click()
          await lastTurn().locator('.nw-turn-foot').waitFor()
          expect(await place.read('Garden/Beans.md')).not.toContain('leeks')
        },
      ],
      [
        /^button Add to Beans\.md/,
        async (control) => {
          await control.click()
          await lastTurn().locator('.nw-turn-foot').waitFor()
          expect(await place.read('Garden/Beans.md')).toContain('leeks')
        },
      ],
    ],
  },
  {
    name: 'an answer with a change',
    scope: '.nw-turn-end, .nw-turn',
    open: changeSomething,
    controls: [
      [/^button Changed 1 note$/, brings(() => lastTurn().getByRole('button', { name: 'Garden/Compost.md' }))],
      [/^button Review$/, brings(() => side('Changes').getByRole('button', { name: 'Undo…' }))],
      [
        /^button Undo$/,
        async (control) => {
          await control.click()
          const before = await place.read('Garden/Compost.md')
          await side('Undo').getByRole('button', { name: 'Undo 1 change' }).click()
          await page.locator('.nw-toast').waitFor()
          expect(await place.read('Garden/Compost.md')).not.toBe(before)
        },
      ],
      [/^button (?:Appended to a note|Edit$|Copy |Retry|Branch)/, (control) => control.waitFor()],
    ],
  },
  {
    name: 'the graph of a chat',
    scope: '.page-side',
    async open() {
      await answeredChat()
      await page.locator('.page-head').getByRole('button', { name: 'Notes in this chat' }).click()
    },
    controls: [
      [
        /^button Close$/,
        async (control) => {
          await control.click()
          await expect.poll(() => page.locator('.page-side').count()).toBe(0)
        },
      ],
      [/^button (?:Zoom in|Zoom out|Fit)$/, (control) => control.click()],
      [/^button .*(?:Beans|Peas|Compost)$/, brings(() => page.locator('.page-side .nw-note'))],
    ],
  },
]

const views: Screen[] = [
  {
    name: 'a note',
    scope: '.page-note',
    async open() {
      await page.keyboard.press('Escape')
      await showView(page, 'Chats')
      await page.evaluate(`location.hash = 'note=Peas'`)
      await page.locator('.page-note .nw-note').waitFor()
      await page.getByRole('region', { name: 'Backlinks' }).getByRole('button').first().waitFor()
    },
    controls: [
      [
        /^button Ask about this note$/,
        async (control) => {
          await control.click()
          await expect.poll(() => field().inputValue()).toBe('@[[Peas]] ')
          await field().fill('')
        },
      ],
      [/^link Open in Obsidian$/, leads(/^obsidian:\/\/open/)],
      [/^button Edit$/, brings(() => page.locator('.cm-focused'))],
      [/^button garden\/legumes$/, brings(region('Search'))],
      [/^link https:/, leads('https://example.com/peas')],
      [/^link More$/, leads('https://example.com/more')],
      [/^button the beans$/, brings(() => title('Beans'))],
      [/^button (?:Garden\/)?Beans$/, brings(() => title('Beans'))],
      [
        /^button (?:Soil|Water|Harvest)$/,
        async (control) => {
          await control.click()
          await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Soil')
        },
      ],
      [/^button Linker see Peas$/, brings(() => title('Linker'))],
      [/^button Graph$/, brings(() => page.getByLabel('How far'))],
      [
        /^button .*(?:without a link|Same |Shared |links? away|Similar )/,
        brings(() => page.locator('.page-note .nw-note')),
      ],
    ],
  },
  {
    name: 'the search',
    scope: '.page-search',
    async open() {
      await page.keyboard.press('Escape')
      await showView(page, 'Chats')
      await showView(page, 'Search')
      // A tag of a note opens the search with a filter, which stays.
      const clear = page.getByRole('button', { name: 'Clear all' })
      if ((await clear.count()) > 0) await clear.click()
      await page.getByLabel('Search your notes').fill('beans')
      await page.locator('.nw-preview .nw-passage').first().waitFor()
    },
    controls: [
      [/^(?:textbox|combobox) Search your notes$/, takes('nitrogen')],
      [
        /^button Clear the search$/,
        async (control) => {
          await control.click()
          await expect.poll(() => page.getByLabel('Search your notes').inputValue()).toBe('')
        },
      ],
      [/^button Filter by folder$/, brings(() => page.getByLabel('A folder', { exact: true }))],
      [/^button Filter by tag$/, brings(() => page.getByLabel('A tag', { exact: true }))],
      [/^button Filter by property$/, brings(() => page.getByLabel('A property, as status: done'))],
      [/^button Filter by date$/, brings(() => page.getByRole('button', { name: 'Changed today' }))],
      [/^option /, brings(() => page.locator('.nw-preview .nw-passage, .page-note .nw-note'))],
      [
        /^button Ask about it$/,
        async (control) => {
          await control.click()
          await expect.poll(() => field().inputValue()).toMatch(/^@\[\[/)
          await field().fill('')
        },
      ],
      [/^button Open$/, brings(() => page.locator('.page-note .nw-note'))],
      [/^link Open in Obsidian$/, leads(/^obsidian:\/\/open/)],
    ],
  },
  {
    name: 'the chats',
    scope: '.page-view',
    async open() {
      await page.keyboard.press('Escape')
      await showView(page, 'Activity')
      await showView(page, 'Chats')
    },
    controls: [
      [/^button New chat$/, brings(() => page.locator('.page-welcome'))],
      [/^textbox Search in chats$/, takes('beans')],
      [/^button More for /, opensMenu],
      [/^button .*question/, brings(() => page.locator('.nw-turn'))],
    ],
  },
]

/** A section of the settings. Each row of a setting, provider, tool or server is like the others of its section. */
const section = (name: string, controls: Screen['controls']): Screen => ({
  name: `the settings, ${name}`,
  scope: '.page-section',
  async open() {
    await page.keyboard.press('Escape')
    await showView(page, 'Chats')
    await showView(page, 'Settings')
    const entry = page.locator('.page-settings nav').getByRole('button', { name, exact: true })
    await entry.click()
    await entry.and(page.locator('[aria-current]')).waitFor()
    await page.locator('.page-section h3').first().waitFor()
  },
  controls,
})
const inSection = (text: string | RegExp) => () => page.locator('.page-section').getByText(text)
/** Chooses another entry of a list, and the first one again. */
const selects = async (control: Locator) => {
  const first = await control.inputValue()
  const values = await control.locator('option').evaluateAll((all) => all.map((one) => one.getAttribute('value') ?? ''))
  const other = values.find((value) => value !== first)
  if (other === undefined) return
  await control.selectOption(other)
  await expect.poll(() => control.inputValue()).toBe(other)
  await control.selectOption(first)
}
const edits = (text: string) => async (control: Locator) => {
  await control.fill(text)
  expect(await control.inputValue()).toBe(text)
}

const settings: Screen[] = [
  section('Models', [
    [/^(?:textbox|combobox) (?:Default model|Custom instructions)$/, edits('offline')],
    [/^button Save$/, (control) => control.waitFor()],
    [/^combobox Mode$/, selects],
    [/^switch Stream$/, turnsTo],
    [/^button Test (?:Ollama|LM Studio)$/, brings(inSection(/isn't running|Not running/))],
    [/^button Connect /, brings(() => page.getByLabel(/^API key of /))],
  ]),
  section('Approvals', [
    [
      /^radio Read only/,
      async (control) => {
        await control.check()
        await inSection('Saved.')().waitFor()
        await page.locator('.page-section').getByRole('button', { name: 'Reset to default' }).click()
        await expect.poll(() => control.isChecked()).toBe(false)
      },
    ],
    [/^radio /, (control) => control.waitFor()],
    [/^textbox New rule$/, takes('deny: write_note(Inbox/**)')],
    [
      /^button Add rule$/,
      async (control) => {
        await page.getByLabel('New rule').fill('deny: write_note(Inbox/**)')
        await control.click()
        await page.getByRole('button', { name: 'Revoke never: write_note(Inbox/**)' }).click()
        await inSection('No rules yet.')().waitFor()
      },
    ],
    [/^textbox (?:Tool|Arguments, as JSON)$/, edits('write_note')],
    [/^button Test$/, brings(() => page.locator('.page-section dt'))],
  ]),
  section('Tools', [
    [/^switch /, turnsTo],
    [/^button Details of /, brings(() => page.locator('.page-section [aria-expanded=true]'))],
  ]),
  section('MCP servers', [
    [/^combobox Type/, selects],
    [/^textbox /, takes('odd')],
    [/^button Add another$/, brings(() => page.getByLabel('Name 2'))],
    [/^button Review and add/, async (control) => expect(await control.isDisabled()).toBe(true)],
  ]),
  section('Memory and projects', [
    [/^button (?:Notewright memory|Plot)\.md$/, brings(() => page.locator('.nw-note'))],
    [/^textbox Memory note$/, edits('Notewright memory.md')],
    [/^button Save$/, (control) => control.waitFor()],
    [
      /^button Forget: I like soup$/,
      async (control) => {
        await control.click()
        await expect.poll(() => place.read('Notewright memory.md')).not.toContain('soup')
        await place.write('Notewright memory.md', '- I like soup\n')
      },
    ],
  ]),
  section('Search index', [
    [/^button (?:Update|Rebuild)$/, brings(inSection('The index is up to date.'))],
    [/^textbox /, edits('Diary/**')],
    [/^button Save$/, (control) => control.waitFor()],
    [/^switch Semantic index$/, turnsTo],
  ]),
  section('Browsers', [
    [/^button Sign in another browser$/, brings(() => page.locator('.page-link'))],
    [/^button Sign out /, (control) => control.waitFor()],
  ]),
  section('Access keys', [
    [/^textbox Name of the program$/, takes('my-editor')],
    [/^combobox /, selects],
    [
      /^button Create$/,
      async (control) => {
        await page.getByLabel('Name of the program').fill('my-editor')
        await control.click()
        await page.getByRole('button', { name: 'Revoke my-editor' }).waitFor()
      },
    ],
  ]),
  section('All settings', [
    [
      /^textbox Find a setting$/,
      async (control) => {
        await control.fill('search.limit')
        await page.getByLabel('search.limit', { exact: true }).waitFor()
        await control.fill('')
      },
    ],
    [/^combobox /, (control) => control.waitFor()],
    [/^textbox /, (control) => control.waitFor()],
    [/^(?:switch|radio|button) /, (control) => control.waitFor()],
  ]),
]

describe('every control of the page does what it says:', () => {
  for (const screen of [...shell, ...chat, ...views, ...settings])
    it(screen.name, () => useEveryControl(page, screen), 600_000)

  it('and none causes an error in the console', () => expect(troubles).toEqual([]))
})
