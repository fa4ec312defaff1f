/** The helpers that Obsidian puts on every element, as far as they are used. */

interface ElementInfo {
  cls?: string | string[]
  text?: string
  attr?: Record<string, string | number | boolean | null>
  type?: string
  value?: string
  placeholder?: string
}

function make(tag: string, given: ElementInfo | string | undefined, doc: Document): HTMLElement {
  const info: ElementInfo = typeof given === 'string' ? { cls: given } : (given ?? {})
  const element = doc.createElement(tag)
  const classes = typeof info.cls === 'string' ? info.cls.split(' ') : (info.cls ?? [])
  element.classList.add(...classes.filter((one) => one !== ''))
  if (info.text !== undefined) element.textContent = info.text
  for (const [name, value] of Object.entries(info.attr ?? {})) {
    if (value !== null) element.setAttribute(name, String(value))
  }
  if (element instanceof HTMLInputElement) {
    if (info.type !== undefined) element.type = info.type
    if (info.value !== undefined) element.value = info.value
    if (info.placeholder !== undefined) element.placeholder = info.placeholder
  }
  return element
}

export function installDomHelpers(): void {
  const onNodes: Record<string, unknown> = {
    createEl(this: Node, tag: string, info?: ElementInfo | string) {
      return this.appendChild(make(tag, info, this.ownerDocument!))
    },
    createDiv(this: Node, info?: ElementInfo | string) {
      return this.appendChild(make('div', info, this.ownerDocument!))
    },
    createSpan(this: Node, info?: ElementInfo | string) {
      return this.appendChild(make('span', info, this.ownerDocument!))
    },
    empty(this: Node) {
      while (this.firstChild) this.removeChild(this.firstChild)
    },
    appendText(this: Node, text: string) {
      this.appendChild(this.ownerDocument!.createTextNode(text))
    },
    instanceOf(this: Node, kind: new () => unknown) {
      return this instanceof kind
    },
  }
  Object.assign(Node.prototype, onNodes)
  Object.assign(Element.prototype, {
    setText(this: Element, text: string) {
      this.textContent = text
    },
    addClass(this: Element, ...classes: string[]) {
      this.classList.add(...classes)
    },
    removeClass(this: Element, ...classes: string[]) {
      this.classList.remove(...classes)
    },
    toggleClass(this: Element, name: string, value = false) {
      this.classList.toggle(name, value)
    },
    setAttr(this: Element, name: string, value: string | number | boolean | null) {
      if (value === null) this.removeAttribute(name)
      else this.setAttribute(name, String(value))
    },
  })
  Object.assign(HTMLElement.prototype, {
    isShown(this: HTMLElement) {
      return this.isConnected && this.offsetParent !== null
    },
    onWindowMigrated(this: HTMLElement, listener: (win: Window) => unknown) {
      const own = migrating.get(this) ?? new Set()
      migrating.set(this, own.add(listener))
      return () => own.delete(listener)
    },
  })
  Object.defineProperty(Node.prototype, 'doc', {
    get(this: Node) {
      return this.ownerDocument ?? this
    },
  })
  Object.defineProperty(Node.prototype, 'win', {
    get(this: Node) {
      return (this.ownerDocument ?? (this as Document)).defaultView
    },
  })
  makeActive(window)
}

/** The window that the user is in. */
export function makeActive(win: Window): void {
  Object.assign(window, { activeDocument: win.document, activeWindow: win })
}

const migrating = new Map<HTMLElement, Set<(win: Window) => unknown>>()

/** Moves an element to another window, and notifies its listeners. */
export function migrate(element: HTMLElement, into: HTMLElement): void {
  into.append(element)
  const win = into.ownerDocument.defaultView!
  for (const [one, listeners] of migrating) {
    if (element.contains(one)) for (const listener of listeners) listener(win)
  }
}
