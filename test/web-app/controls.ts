import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Names the controls as a user meets them, "button Send", and marks each with its name. */
const script = `(scope) => {
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && element.getClientRects().length > 0
  const words = (text) => (text ?? '').replace(/\\s+/g, ' ').trim()
  const nameOf = (element) => {
    const ids = element.getAttribute('aria-labelledby')
    const labels = [...(element.labels ?? [])].map((label) => label.textContent).join(' ')
    const content = element.matches('input, select, textarea') ? '' : spoken(element)
    return words(element.getAttribute('aria-label') ?? (ids && ids.split(' ').map((id) => document.getElementById(id)?.textContent).join(' '))
      ?? (labels || content || element.title || element.placeholder))
  }
  // What is hidden from screen readers is no part of a name.
  const spoken = (element) => [...element.childNodes].map((node) =>
    node.nodeType === 3 ? node.data : node.getAttribute?.('aria-hidden') === 'true' ? '' : spoken(node)).join(' ')
  const roleOf = (element) => element.getAttribute('role') ?? (
    element.matches('a') ? 'link' : element.matches('select') ? 'combobox' : element.matches('textarea, [contenteditable]') ? 'textbox'
      : element.matches('input[type=checkbox]') ? 'checkbox' : element.matches('input[type=radio]') ? 'radio'
      : element.matches('input') ? 'textbox' : 'button')
  const usable = 'button, a[href], input, select, textarea, [role=textbox], [role=option], [role=menuitem]'
  return [...document.querySelectorAll(scope)].flatMap((area) => [...area.querySelectorAll(usable)])
    // The note in a preview is the screen of a note.
    .filter((element) => shown(element) && !element.closest('.nw-preview .nw-note')).map((element) => {
      const control = roleOf(element) + ' ' + nameOf(element)
      element.setAttribute('data-control', control)
      return control
    })
}`

/** All controls that are visible in a part of the page, each once. */
export async function controlsIn(page: Page, scope: string): Promise<string[]> {
  const found = (await page.evaluate(`(${script})(${JSON.stringify(scope)})`)) as string[]
  return [...new Set(found)]
}

/** A part of the page in one state, how to come to it, and what each of its controls does. */
export interface Screen {
  name: string
  /** Selector of the part. */
  scope: string
  open(): Promise<unknown>
  /** Controls that differ in a name alone, such as one for each note, share an entry; its first control is used. */
  controls: [name: RegExp, use: (control: Locator) => Promise<unknown>][]
}

/** Uses every control of a screen. One that has no entry, or an entry without a control, is an error. */
export async function useEveryControl(page: Page, { name, scope, open, controls }: Screen): Promise<void> {
  const listed = async (pattern?: RegExp) => {
    const all = await controlsIn(page, scope)
    return pattern === undefined ? all : all.filter((control) => pattern.test(control))
  }
  await open()
  for (const [pattern] of controls)
    await expect.poll(() => listed(pattern), { message: `${name}: no control is ${pattern}` }).not.toEqual([])
  const unknown = (await listed()).filter((control) => !controls.some(([pattern]) => pattern.test(control)))
  expect({ screen: name, 'controls that no test uses': unknown }).toEqual({
    screen: name,
    'controls that no test uses': [],
  })
  for (const [pattern, use] of controls) {
    await open()
    await expect.poll(() => listed(pattern)).not.toEqual([])
    const [control] = await listed(pattern)
    const marked = page
      .locator(scope)
      .locator(`[data-control=${JSON.stringify(control)}]`)
      .first()
    await use(marked).catch((error: Error) => {
      throw new Error(`${name}, ${control}: ${error.message}`, { cause: error })
    })
  }
}
