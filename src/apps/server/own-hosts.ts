import { isIP } from 'node:net'

/** The names this server answers to. Whoever calls it by another was led here by a name of somebody else's. */
export interface OwnHosts {
  isOwn(host: string): boolean
  isOwnOrigin(origin: string): boolean
}

export interface Listening {
  /** As it was asked for: `127.0.0.1`, `0.0.0.0`, `notes.local`. */
  host: string
  port: number
  /** Pages and apps that may speak to it besides its own: `app://obsidian.md`. */
  origins?: readonly string[]
}

const loopbackNames = new Set(['127.0.0.1', 'localhost', '[::1]'])

export function isLoopbackHost(host: string): boolean {
  return loopbackNames.has(bracketed(host).toLowerCase())
}

export function ownHosts({ host, port, origins = [] }: Listening): OwnHosts {
  const listening = bracketed(host).toLowerCase()
  const isOpen = !isLoopbackHost(host)
  function isOwn(text: string): boolean {
    // Lower and upper case are one; a dot at the end, a user, a path or a space are nothing a client of ours sends.
    const [, name, given] = /^([a-z0-9.-]*[a-z0-9]|\[[0-9a-f:.]+\])(?::(\d{1,5}))?$/.exec(text.toLowerCase()) ?? []
    if (name === undefined || Number(given ?? 80) !== port) return false
    if (loopbackNames.has(name) || name === listening) return true
    // An address is not a name: nobody's name server can make it lead somewhere else.
    return isOpen && isIP(name.replace(/^\[|\]$/g, '')) !== 0
  }
  return {
    isOwn,
    isOwnOrigin: (origin) => origins.includes(origin) || (origin.startsWith('http://') && isOwn(origin.slice(7))),
  }
}

/** As it stands in an address. */
export function bracketed(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
