import type { App } from './app.js'

/** A window over all others, with the parts and classes of the app. */
export class Modal {
  readonly containerEl: HTMLElement
  readonly modalEl: HTMLElement
  readonly titleEl: HTMLElement
  readonly contentEl: HTMLElement
  #before: Element | null = null
  readonly #onKey = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    this.close()
  }

  constructor(readonly app: App) {
    this.containerEl = document.createElement('div')
    this.containerEl.className = 'modal-container mod-dim'
    const background = this.containerEl.createDiv({ cls: 'modal-bg' })
    background.addEventListener('click', () => this.close())
    this.modalEl = this.containerEl.createDiv({ cls: 'modal', attr: { role: 'dialog', 'aria-modal': 'true' } })
    const close = this.modalEl.createEl('button', {
      cls: 'modal-header-button mod-raised clickable-icon',
      attr: { 'aria-label': 'Close' },
    })
    close.setText('×')
    close.addEventListener('click', () => this.close())
    const header = this.modalEl.createDiv({ cls: 'modal-header' })
    this.titleEl = header.createDiv({ cls: 'modal-title' })
    this.contentEl = this.modalEl.createDiv({ cls: 'modal-content' })
  }
  setTitle(title: string): this {
    this.titleEl.setText(title)
    this.modalEl.setAttr('aria-label', title)
    return this
  }
  open(): void {
    const shownIn = activeDocument
    this.#before = shownIn.activeElement
    shownIn.body.append(this.containerEl)
    shownIn.addEventListener('keydown', this.#onKey)
    void this.onOpen()
  }
  close(): void {
    if (!this.containerEl.isConnected) return
    this.containerEl.ownerDocument.removeEventListener('keydown', this.#onKey)
    this.containerEl.remove()
    if (this.#before instanceof HTMLElement) this.#before.focus()
    this.onClose()
  }
  onOpen(): unknown {
    return undefined
  }
  onClose(): void {}
}

/** Texts of notices, in order. */
export const said: string[] = []

export class Notice {
  readonly messageEl: HTMLElement
  readonly #timer: number

  constructor(message: string | DocumentFragment, duration = 5000) {
    const all =
      document.querySelector<HTMLElement>('.notice-container') ??
      document.body.createDiv({ cls: 'notice-container', attr: { role: 'status' } })
    this.messageEl = all.createDiv({ cls: 'notice' }).createDiv({ cls: 'notice-message' })
    this.setMessage(message)
    this.#timer = duration === 0 ? 0 : window.setTimeout(() => this.hide(), duration)
  }
  setMessage(message: string | DocumentFragment): this {
    this.messageEl.replaceChildren(message)
    said.push(this.messageEl.textContent ?? '')
    return this
  }
  hide(): void {
    window.clearTimeout(this.#timer)
    this.messageEl.parentElement?.remove()
  }
}
