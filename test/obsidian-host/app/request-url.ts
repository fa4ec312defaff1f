import { fromBase64 } from './disk.js'

interface Asked {
  url: string
  method?: string
  body?: string
  headers?: Record<string, string>
  contentType?: string
  throw?: boolean
}

type Bound = (asked: Asked) => Promise<{ status: number; headers: Record<string, string>; base64: string }>

/** A request that no origin rule stops, in one piece. */
export async function requestUrl(given: Asked | string) {
  const asked = typeof given === 'string' ? { url: given } : given
  const { status, headers, base64 } = await (globalThis as unknown as { askWeb: Bound }).askWeb(asked)
  if (status >= 400 && asked.throw !== false) {
    throw Object.assign(new Error(`Request failed, status ${status}`), { status, headers })
  }
  const { buffer } = fromBase64(base64)
  const text = new TextDecoder().decode(buffer)
  return {
    status,
    headers,
    arrayBuffer: buffer,
    text,
    get json() {
      return JSON.parse(text)
    },
  }
}
