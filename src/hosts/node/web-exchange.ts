import { lookup } from 'node:dns/promises'
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { rootCertificates } from 'node:tls'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import ipaddr from 'ipaddr.js'
import { Failure } from '../../core/errors.js'
import { notPublic, portOf } from '../../core/web/index.js'

interface Outgoing {
  url: URL
  /** The only addresses this may connect to. */
  addresses: string[]
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: string | undefined
  maxBytes: number
  signal: AbortSignal
  certificateAuthorities?: string | undefined
  connect(address: string, port: number): { address: string; port: number }
}

export interface ReceivedResponse {
  status: number
  headers: Record<string, string>
  /** Decompressed; empty for a redirect. */
  bytes: Uint8Array
}

/** Sends one request over a new connection to a checked address and reads the response. */
export async function exchange(outgoing: Outgoing): Promise<ReceivedResponse> {
  const { signal, url } = outgoing
  const response = await sendRequest(outgoing).catch((error: unknown) => {
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

function sendRequest(outgoing: Outgoing): Promise<IncomingMessage> {
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
  const [first] = targets
  if (first === undefined) throw new Failure('network', `${host} could not be found.`)
  return {
    method,
    // A new agent per request: the global one may be configured to use a proxy.
    agent: secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    host: literal ? first.address : host,
    port: first.port,
    path: `${url.pathname}${url.search}`,
    lookup: pinnedLookup(targets.map(({ address }) => address)),
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

/** Returns the checked addresses, even if the name resolves differently now. */
function pinnedLookup(addresses: string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_host, options, answer) => {
    const [first] = all
    if (options.all || first === undefined) answer(null, all)
    else answer(null, first.address, first.family)
  }
}

/** Cookies are removed: none are stored, so none are shown. */
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

/** The whole body, decompressed. Bytes are counted before and after, so that a small bomb is not a large one here. */
async function readBody(response: IncomingMessage, maxBytes: number, from: string): Promise<Uint8Array> {
  if (Number(response.headers['content-length']) > maxBytes) throw tooLarge(maxBytes, from)
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const chunks: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  }
  const counted = () => byteCounter(maxBytes, () => tooLarge(maxBytes, from))
  if (encoding === 'identity' || encoding === '') {
    await pipeline(response, counted(), collect)
  } else if (encoding === 'deflate') {
    await pipeline(response, counted(), decompressed, counted(), collect)
  } else {
    const decoder = decoders[encoding]
    if (decoder === undefined) {
      throw new Failure('network', `${from} sent an unsupported encoding: ${encoding.slice(0, 40)}.`)
    }
    await pipeline(response, counted(), decoder(), counted(), collect)
  }
  return Buffer.concat(chunks)
}

const decoders: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  br: createBrotliDecompress,
}

/** Some servers send deflate with its zlib header, as the standard says, and some without. */
async function* decompressed(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = source[Symbol.asyncIterator]()
  const first = await reader.next()
  if (first.done) return
  const decoder: Transform = ((first.value[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()
  async function* whole() {
    yield first.value
    for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value
  }
  const fed = pipeline(whole(), decoder)
  // Reading the decoder reports the failure.
  fed.catch(() => {})
  yield* decoder as Readable
  await fed
}

function byteCounter(maxBytes: number, exceeded: () => Failure): Transform {
  let count = 0
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      count += chunk.length
      if (count > maxBytes) done(exceeded())
      else done(null, chunk)
    },
  })
}

function tooLarge(maxBytes: number, from: string): Failure {
  const size = maxBytes >= 1_000_000 ? `${Math.round(maxBytes / 100_000) / 10} MB` : `${maxBytes} bytes`
  return new Failure('too-large', `The response from ${from} is larger than ${size}.`)
}

/** Every address of a name. */
export type Resolve = (host: string) => Promise<string[]>

export const systemResolve: Resolve = async (host) => {
  const found = await lookup(host, { all: true, verbatim: true })
  return found.map(({ address }) => address)
}

/** The addresses to connect to. One that is not public spoils them all: a name has no reason to have both. */
export async function checkedAddresses(url: URL, resolve: Resolve, configured: boolean): Promise<string[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = isIP(host) ? [host] : await resolveName(host, resolve)
  if (!configured && !addresses.every(isPublicAddress)) throw notPublic(url.hostname)
  return addresses
}

async function resolveName(host: string, resolve: Resolve): Promise<string[]> {
  const addresses = await resolve(host).catch((error: NodeJS.ErrnoException) => {
    throw new Failure('network', `${host} could not be found${error.code ? ` (${error.code})` : ''}.`)
  })
  const usable = addresses.filter((address) => isIP(address) !== 0)
  if (usable.length === 0 || usable.length < addresses.length) {
    throw new Failure('network', `${host} could not be found.`)
  }
  return usable
}

/** True for a unicast address of the public internet; everything with a special purpose is not. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  if (parsed.kind() === 'ipv4') return parsed.range() === 'unicast'
  const long = parsed as ipaddr.IPv6
  if (long.zoneId) return false
  // On networks without IPv4 the resolver wraps IPv4 addresses in this prefix; the gateway forwards to the embedded
  // one.
  if (long.match(nat64Prefix)) return isPublicAddress(embeddedIPv4(long))
  // The library counts unassigned ranges (and ::1.2.3.4) as unicast, so the global range is checked too.
  return long.range() === 'unicast' && long.match(globalUnicast)
}

const nat64Prefix = ipaddr.parseCIDR('64:ff9b::/96')
const globalUnicast = ipaddr.parseCIDR('2000::/3')

function embeddedIPv4(address: ipaddr.IPv6): string {
  return address.toByteArray().slice(12).join('.')
}
