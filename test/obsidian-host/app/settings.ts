import type { App } from './app.js'
import type { Plugin } from './plugin.js'

type Wish<T> = T | (() => T)
const now = <T>(wish: Wish<T> | undefined, otherwise: T): T =>
  wish === undefined ? otherwise : typeof wish === 'function' ? (wish as () => T)() : wish

interface Control {
  type: 'toggle' | 'dropdown' | 'text' | 'textarea' | 'number'
  key: string
  defaultValue?: unknown
  options?: Record<string, string>
  placeholder?: string
  min?: number
  max?: number
  disabled?: Wish<boolean>
  validate?(value: unknown): string | undefined | Promise<string | undefined>
}

/** One item of the declarative settings, of whichever kind. */
export interface Definition {
  type?: 'group' | 'list' | 'page'
  name?: string
  heading?: string
  desc?: string | DocumentFragment
  items?: Definition[]
  control?: Control
  action?(row: HTMLElement, index: number): void
  render?(setting: Setting, group: unknown): undefined | (() => void)
  visible?: Wish<boolean>
  disabled?: Wish<boolean>
  emptyState?: string
  onDelete?(index: number): void
  addItem?: { name: string; action(element: HTMLElement): void }
}

class BaseComponent {
  disabled = false
}

export class ButtonComponent extends BaseComponent {
  readonly buttonEl: HTMLButtonElement
  constructor(container: HTMLElement) {
    super()
    this.buttonEl = container.createEl('button')
  }
  setButtonText(text: string): this {
    this.buttonEl.setText(text)
    return this
  }
  setCta(): this {
    this.buttonEl.addClass('mod-cta')
    return this
  }
  setDestructive(): this {
    this.buttonEl.addClass('mod-destructive')
    return this
  }
  setDisabled(disabled: boolean): this {
    this.buttonEl.disabled = disabled
    return this
  }
  onClick(callback: (event: MouseEvent) => unknown): this {
    this.buttonEl.addEventListener('click', callback)
    return this
  }
}

export class TextComponent extends BaseComponent {
  readonly inputEl: HTMLInputElement
  constructor(container: HTMLElement) {
    super()
    this.inputEl = container.createEl('input', { type: 'text' }) as HTMLInputElement
  }
  getValue(): string {
    return this.inputEl.value
  }
  setValue(value: string): this {
    this.inputEl.value = value
    return this
  }
  setPlaceholder(text: string): this {
    this.inputEl.placeholder = text
    return this
  }
  onChange(callback: (value: string) => unknown): this {
    this.inputEl.addEventListener('input', () => callback(this.inputEl.value))
    return this
  }
}

export class TextAreaComponent extends BaseComponent {
  readonly inputEl: HTMLTextAreaElement
  constructor(container: HTMLElement) {
    super()
    this.inputEl = container.createEl('textarea') as HTMLTextAreaElement
  }
}

/** A field that names a secret; in the app a user picks one, or makes one, from a list. */
export class SecretComponent extends BaseComponent {
  readonly #input: HTMLInputElement
  constructor(app: App, container: HTMLElement) {
    super()
    this.#input = container.createEl('input', { type: 'text', cls: 'secret-name' }) as HTMLInputElement
    this.#input.setAttribute('list', 'secrets')
    this.#input.title = app.secretStorage.listSecrets().join(', ')
  }
  setValue(value: string): this {
    this.#input.value = value
    return this
  }
  onChange(callback: (value: string) => unknown): this {
    this.#input.addEventListener('input', () => callback(this.#input.value))
    return this
  }
}

/** One row: name, description, controls. */
export class Setting {
  readonly settingEl: HTMLElement
  readonly nameEl: HTMLElement
  readonly descEl: HTMLElement
  readonly controlEl: HTMLElement

  constructor(container: HTMLElement) {
    this.settingEl = container.createDiv({ cls: 'setting-item' })
    const info = this.settingEl.createDiv({ cls: 'setting-item-info' })
    this.nameEl = info.createDiv({ cls: 'setting-item-name' })
    this.descEl = info.createDiv({ cls: 'setting-item-description' })
    this.controlEl = this.settingEl.createDiv({ cls: 'setting-item-control' })
  }
  setName(name: string | DocumentFragment): this {
    this.nameEl.replaceChildren(name)
    return this
  }
  setDesc(text: string | DocumentFragment): this {
    this.descEl.replaceChildren(text)
    return this
  }
  addButton(build: (button: ButtonComponent) => unknown): this {
    build(new ButtonComponent(this.controlEl))
    return this
  }
  addText(build: (text: TextComponent) => unknown): this {
    const text = new TextComponent(this.controlEl)
    text.inputEl.setAttribute('aria-label', this.nameEl.textContent ?? '')
    build(text)
    return this
  }
  addTextArea(build: (text: TextAreaComponent) => unknown): this {
    build(new TextAreaComponent(this.controlEl))
    return this
  }
  /** Below the row; null takes it away. */
  setErrorMessage(message: string | null): this {
    this.settingEl.querySelector('.setting-error')?.remove()
    if (message) this.settingEl.createDiv({ cls: 'setting-error', text: message })
    return this
  }
  addComponent(build: (container: HTMLElement) => unknown): this {
    build(this.controlEl)
    for (const input of this.controlEl.querySelectorAll('input')) {
      if (!input.hasAttribute('aria-label')) input.setAttribute('aria-label', this.nameEl.textContent ?? '')
    }
    return this
  }
}

export abstract class SettingTab {
  readonly containerEl = document.createElement('div')
  settingItems: Definition[] = []
  icon = ''

  constructor(readonly app: App) {
    this.containerEl.className = 'vertical-tab-content'
    // In the app settings are a window.
    this.containerEl.setAttribute('role', 'dialog')
    this.containerEl.setAttribute('aria-label', 'Settings')
  }
  getSettingDefinitions(): Definition[] {
    return []
  }
  abstract getControlValue(key: string): unknown
  abstract setControlValue(key: string, value: unknown): void | Promise<void>
  update(): void {
    this.settingItems = this.getSettingDefinitions()
    if (this.containerEl.isConnected) this.draw()
  }
  refreshDomState(): void {
    this.draw()
  }
  display(): void {}
  hide(): void {}
  #page: string[] = []
  #ends: (() => void)[] = []

  /** The page that is open, or the tab itself. */
  draw(): void {
    for (const end of this.#ends.splice(0)) end()
    this.containerEl.replaceChildren()
    let items = this.settingItems
    for (const name of this.#page) {
      const page = flat(items).find((one) => one.type === 'page' && one.name === name)
      if (page === undefined) break
      items = page.items ?? []
      const back = this.containerEl.createEl('button', { text: `‹ ${name}`, cls: 'setting-back' })
      back.addEventListener('click', () => {
        this.#page.pop()
        this.draw()
      })
    }
    for (const item of items) this.#item(item, this.containerEl, 0, item)
  }

  #item(item: Definition, container: HTMLElement, index: number, group: Definition): void {
    if (!now(item.visible, true)) return
    if (item.type === 'group' || item.type === 'list') {
      const box = container.createDiv({ cls: 'setting-group' })
      if (item.heading) box.createDiv({ cls: 'setting-item-heading', text: item.heading })
      if (item.items?.length === 0 && item.emptyState) box.createDiv({ text: item.emptyState })
      for (const [at, one] of (item.items ?? []).entries()) this.#item(one, box, at, item)
      if (item.addItem) {
        const { name, action } = item.addItem
        const add = box.createEl('button', { text: name })
        add.addEventListener('click', () => action(add))
      }
      return
    }
    const row = new Setting(container).setName(item.name ?? '').setDesc(item.desc ?? '')
    if (item.type === 'page') {
      const open = row.controlEl.createEl('button', { text: '›' })
      open.setAttribute('aria-label', `Open ${item.name}`)
      open.addEventListener('click', () => {
        this.#page.push(item.name!)
        this.draw()
      })
    } else if (item.control) this.#control(item.control, row)
    else if (item.action) {
      row.settingEl
        .createEl('button', { text: item.name ?? '' })
        .addEventListener('click', () => item.action!(row.settingEl, index))
    } else if (item.render) {
      const end = item.render(row, group)
      if (end) this.#ends.push(end)
    }
    if (group.onDelete) row.addButton((button) => button.setButtonText('Delete').onClick(() => group.onDelete!(index)))
  }

  #control(control: Control, row: Setting): void {
    const value = this.getControlValue(control.key) ?? control.defaultValue
    const tag = control.type === 'textarea' ? 'textarea' : control.type === 'dropdown' ? 'select' : 'input'
    // A drop-down is used only through members that it shares with a field.
    const field = row.controlEl.createEl(tag) as HTMLElement as HTMLInputElement
    field.setAttribute('aria-label', row.nameEl.textContent ?? '')
    field.disabled = now(control.disabled, false)
    if (control.placeholder) field.setAttribute('placeholder', control.placeholder)
    for (const [name, label] of Object.entries(control.options ?? {})) field.append(new Option(label, name))
    if (control.type === 'toggle') {
      field.type = 'checkbox'
      field.checked = value === true
    } else {
      if (control.type === 'number') field.type = 'number'
      field.value = value === undefined ? '' : String(value)
    }
    const read = () =>
      control.type === 'toggle' ? field.checked : control.type === 'number' ? Number(field.value) : field.value
    // A number counts when its field is left, as its page says; of a text it is assumed that every letter does.
    const isText = control.type === 'text' || control.type === 'textarea'
    field.addEventListener(isText ? 'input' : 'change', async () => {
      const given = read()
      const isOut = control.type === 'number' && (Number.isNaN(given) || isOutside(Number(given), control))
      const wrong = isOut ? 'Not a number that is allowed.' : await control.validate?.(given)
      row.setErrorMessage(wrong || null)
      if (!wrong) await this.setControlValue(control.key, given)
    })
  }
}

const isOutside = (value: number, { min = -Infinity, max = Infinity }: Control): boolean => value < min || value > max

const flat = (items: Definition[]): Definition[] =>
  items.flatMap((one) => (one.type === 'group' || one.type === 'list' ? flat(one.items ?? []) : [one]))

export abstract class PluginSettingTab extends SettingTab {
  constructor(
    app: App,
    readonly plugin: Plugin,
  ) {
    super(app)
  }
  getControlValue(key: string): unknown {
    return (this.plugin.settings as Record<string, unknown> | undefined)?.[key]
  }
  async setControlValue(key: string, value: unknown): Promise<void> {
    Object.assign((this.plugin.settings ??= {}), { [key]: value })
    await this.plugin.saveData(this.plugin.settings)
  }
}
