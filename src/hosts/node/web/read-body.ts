import type { IncomingMessage } from 'node:http'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { Failure } from '../../../core/errors.js'

/** The whole body, decompressed. Bytes are counted before and after, so that a small bomb is not a large one here. */
export async function readBody(response: IncomingMessage, maxBytes: number, from: string): Promise<Uint8Array> {
  if (Number(response.headers['content-length']) > maxBytes) throw tooLarge(maxBytes, from)
  const encoding = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const chunks: Buffer[] = []
  const collect = async (source: AsyncIterable<Buffer>) => {
    for await (const chunk of source) chunks.push(chunk)
  }
  const counted = () => counter(maxBytes, () => tooLarge(maxBytes, from))
  if (encoding === 'identity' || encoding === '') {
    await pipeline(response, counted(), collect)
  } else if (encoding === 'deflate') {
    await pipeline(response, counted(), inflated, counted(), collect)
  } else {
    const decoder = decoders[encoding]
    if (decoder === undefined) {
      throw new Failure('network', `${from} answered in an encoding that was not asked for: ${encoding.slice(0, 40)}.`)
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
async function* inflated(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const reader = source[Symbol.asyncIterator]()
  const first = await reader.next()
  if (first.done) return
  const decoder: Transform = (first.value[0] & 0x0f) === 8 ? createInflate() : createInflateRaw()
  async function* whole() {
    yield first.value
    for (let next = await reader.next(); !next.done; next = await reader.next()) yield next.value
  }
  const fed = pipeline(whole(), decoder)
  fed.catch(() => {})
  yield* decoder as Readable
  await fed
}

function counter(maxBytes: number, exceeded: () => Failure): Transform {
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
  return new Failure('too-large', `The answer of ${from} is larger than ${size}.`)
}
