import { createHmac, timingSafeEqual } from 'node:crypto'

type Purpose = 'reasoning' | 'compaction'

export type Signer = ReturnType<typeof newSigner>

/** Signs values that a client stores for us and sends back: it can read them, but not change them. */
export function newSigner(key: Uint8Array) {
  const signatureOf = (purpose: Purpose, text: string): string =>
    createHmac('sha256', key).update(`${purpose}\0${text}`).digest('base64url')
  return {
    sign(purpose: Purpose, value: unknown): string {
      const text = Buffer.from(JSON.stringify(value)).toString('base64url')
      return `${text}.${signatureOf(purpose, text)}`
    },
    /** Returns the value, or undefined if it was not signed with this key. */
    verify<Value>(purpose: Purpose, signed: string): Value | undefined {
      const [text = '', signature = ''] = signed.split('.')
      const expected = Buffer.from(signatureOf(purpose, text))
      const given = Buffer.from(signature)
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
      return JSON.parse(Buffer.from(text, 'base64url').toString()) as Value
    },
  }
}
