type Listener = (...data: never[]) => unknown

/** A registration that can be removed. */
export interface Ref {
  source: Events
  name: string
  listener: Listener
}

export class Events {
  readonly #refs: Ref[] = []

  on(name: string, listener: Listener, context?: unknown): Ref {
    const ref = { source: this, name, listener: context === undefined ? listener : listener.bind(context) }
    this.#refs.push(ref)
    return ref
  }

  offref(ref: Ref): void {
    const at = this.#refs.indexOf(ref)
    if (at >= 0) this.#refs.splice(at, 1)
  }

  trigger(name: string, ...data: unknown[]): void {
    for (const ref of [...this.#refs]) if (ref.name === name) ref.listener(...(data as never[]))
  }
}

/** Something that is loaded and unloaded, with all that it registered. */
export class Component {
  isLoaded = false
  readonly #children: Component[] = []
  readonly #ends: (() => unknown)[] = []

  load(): void {
    if (this.isLoaded) return
    this.isLoaded = true
    void this.onload()
    for (const child of this.#children) child.load()
  }
  onload(): unknown {
    return undefined
  }
  unload(): void {
    if (!this.isLoaded) return
    this.isLoaded = false
    for (const child of this.#children.splice(0)) child.unload()
    for (const end of this.#ends.splice(0).reverse()) end()
    this.onunload()
  }
  onunload(): void {}
  addChild<T extends Component>(child: T): T {
    this.#children.push(child)
    if (this.isLoaded) child.load()
    return child
  }
  removeChild<T extends Component>(child: T): T {
    const at = this.#children.indexOf(child)
    if (at >= 0) this.#children.splice(at, 1)
    child.unload()
    return child
  }
  register(end: () => unknown): void {
    this.#ends.push(end)
  }
  registerEvent(ref: Ref): void {
    this.register(() => ref.source.offref(ref))
  }
  registerDomEvent(
    target: EventTarget,
    type: string,
    listener: EventListener,
    options?: AddEventListenerOptions,
  ): void {
    target.addEventListener(type, listener, options)
    this.register(() => target.removeEventListener(type, listener, options))
  }
  registerInterval(id: number): number {
    this.register(() => window.clearInterval(id))
    return id
  }
}
