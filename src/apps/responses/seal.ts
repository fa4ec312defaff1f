import { createHmac, timingSafeEqual } from 'node:crypto'

type Purpose = 'reasoning' | 'compaction'

/** Puts a seal on something of ours that a client carries to and fro: it can read it, and cannot change it. */
export interface Sealing {
  close(purpose: Purpose, value: unknown): string
  /** undefined: it was not sealed here. */
  open<Value>(purpose: Purpose, sealed: string): Value | undefined
}

export function sealing(key: Uint8Array): Sealing {
  const sign = (purpose: Purpose, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
  return {
    close(purpose, value) {
      const text = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${text}.${sign(purpose, text)}`
    },
    open<Value>(purpose: Purpose, sealed: string) {
      const [text = '', signature = ''] = sealed.split('.')
      const right = Buffer.from(sign(purpose, text))
      const given = Buffer.from(signature)
      if (given.length !== right.length || !timingSafeEqual(given, right)) return undefined
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as Value
    },
  }
}
