import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Failure } from '../../../core/errors.js'
import { portOf } from '../../../core/web/index.js'
import { readBody } from './read-body.js'

export interface Outgoing {
  url: URL
  /** The only addresses this may connect to. */
  addresses: string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string
  maxBytes: number
  signal: AbortSignal
  certificateAuthorities?: string
  connect(address: string, port: number): { address: string; port: number }
}

export interface Incoming {
  status: number
  headers: Record<string, string>
  /** Decompressed; empty for a redirect. */
  bytes: Uint8Array
}

/** One request and its answer, over a connection of its own to an address that was checked. */
export async function exchange(outgoing: Outgoing): Promise<Incoming> {
  const { signal, url } = outgoing
  const response = await answerTo(outgoing).catch((error: unknown) => {
    signal.throwIfAborted()
    throw unreachable(url, error)
  })
  try {
    const headers = flatHeaders(response)
    const status = response.statusCode ?? 0
    if (isRedirect(status, headers)) return { status, headers, bytes: new Uint8Array() }
    return { status, headers, bytes: await readBody(response, outgoing.maxBytes, url.host) }
  } catch (error) {
    signal.throwIfAborted()
    throw error instanceof Failure ? error : unreachable(url, error)
  } finally {
    response.destroy()
  }
}

export function isRedirect(status: number, headers: Record<string, string>): boolean {
  return [301, 302, 303, 307, 308].includes(status) && headers.location !== undefined
}

function answerTo(outgoing: Outgoing): Promise<IncomingMessage> {
  const { url, body } = outgoing
  const secure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = (secure ? httpsRequest : httpRequest)(requestOptions(outgoing, secure))
    request.on('response', resolve)
    request.on('error', reject)
    // An answer that switches protocols closes without a response.
    request.on('close', () => reject(new Error('connection closed')))
    request.end(body)
  })
}

function requestOptions(outgoing: Outgoing, secure: boolean): RequestOptions {
  const { url, method, headers, signal, body } = outgoing
  const targets = outgoing.addresses.map((address) => outgoing.connect(address, portOf(url)))
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const literal = isIP(host) !== 0
  return {
    method,
    // A connection each, and an agent of our own: the global one may have been told to use a proxy.
    agent: secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    host: literal ? targets[0].address : host,
    port: targets[0].port,
    path: `${url.pathname}${url.search}`,
    lookup: pinned(targets.map(({ address }) => address)),
    setHost: false,
    headers: {
      ...headers,
      host: url.host,
      'accept-encoding': 'gzip, deflate, br',
      ...(body !== undefined && { 'content-length': Buffer.byteLength(body) }),
    },
    signal,
    ...(secure && { servername: literal ? '' : host, ...trusted(outgoing.certificateAuthorities) }),
  }
}

function trusted(more: string | undefined): { ca?: string[] } {
  return more === undefined ? {} : { ca: [...rootCertificates, more] }
}

/** Answers what was checked, whatever the name resolves to by now. */
function pinned(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, answer) => {
    if (options.all) answer(null, all)
    else answer(null, all[0].address, all[0].family)
  }
}

/** Without cookies: none are kept, so none are shown. */
function flatHeaders({ headers }: IncomingMessage): Record<string, string> {
  const flat: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && name !== 'set-cookie') flat[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return flat
}

function unreachable(url: URL, error: unknown): Failure {
  const { code, message, errors } = error as NodeJS.ErrnoException & { errors?: NodeJS.ErrnoException[] }
  const reason = code ?? errors?.[0]?.code ?? message
  return new Failure('network', `Could not load from ${url.host}: ${reason}.`)
}
