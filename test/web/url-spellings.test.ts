import fc from 'fast-check'
import ipaddr from 'ipaddr.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isPublicAddress } from '../../src/hosts/node/web-exchange.js'
import { type LoopbackWeb, loopbackWeb, publicAddress } from './loopback-web.js'

let own: LoopbackWeb
beforeAll(async () => {
  own = await loopbackWeb()
})
afterAll(() => own.close())

const byte = fc.integer({ min: 0, max: 255 })
const quad = fc.tuple(byte, byte, byte, byte)

/** IPv4 addresses of networks that are not public. */
const privateQuad = fc.oneof(
  fc.constant([127, 0, 0, 1]),
  fc.constant([169, 254, 169, 254]),
  fc.constant([0, 0, 0, 0]),
  quad.map(([, b, c, d]) => [127, b, c, d]),
  quad.map(([, b, c, d]) => [10, b, c, d]),
  quad.map(([, b, c, d]) => [172, 16 + (b % 16), c, d]),
  quad.map(([, , c, d]) => [192, 168, c, d]),
  quad.map(([, , c, d]) => [169, 254, c, d]),
  quad.map(([, b, c, d]) => [100, 64 + (b % 64), c, d]),
  quad.map(([, b, c, d]) => [0, b, c, d]),
  quad.map(([a, b, c, d]) => [224 + (a % 32), b, c, d]),
)

const radix = fc.constantFrom(
  (number: number) => `${number}`,
  (number: number) => `0x${number.toString(16)}`,
  (number: number) => `0X${number.toString(16).toUpperCase()}`,
  (number: number) => `0x000${number.toString(16)}`,
  (number: number) => `0${number.toString(8)}`,
  (number: number) => `000${number.toString(8)}`,
)

/** One number for the last of one to four parts, as old systems read them. */
const numeric = fc
  .tuple(privateQuad, fc.integer({ min: 1, max: 4 }), fc.array(radix, { minLength: 4, maxLength: 4 }))
  .map(([address, parts, write]) => {
    const last = address.slice(parts - 1).reduce((value, part) => value * 256 + part, 0)
    return [...address.slice(0, parts - 1), last].map((number, index) => write[index](number)).join('.')
  })

const disguise = fc.constantFrom(
  (host: string) => host,
  (host: string) => `${host}.`,
  (host: string) => host.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (host: string) => host.replaceAll('.', '。'),
  (host: string) => host.replaceAll('.', '．'),
  (host: string) => host.replace(/[0-9]/, (digit) => `%3${digit}`),
  (host: string) => host.replaceAll('.', '%2e'),
)

const hextets = ([a, b, c, d]: readonly number[]) =>
  [(a << 8) | b, (c << 8) | d].map((part) => part.toString(16)).join(':')

const long = fc
  .oneof(
    fc.constantFrom('::1', '::', '0:0:0:0:0:0:0:1', '0000::0001', 'fe80::1', 'febf::1', 'fec0::1', 'ff02::1', '100::1'),
    fc.constantFrom('2001:db8::1', '2001::1', '2002:7f00:1::', '3fff::1', '5f00::1', '4000::1', '1::1', 'e000::1'),
    byte.map((tail) => `fd${tail.toString(16).padStart(2, '0')}::1`),
    privateQuad.map((address) => `::ffff:${address.join('.')}`),
    privateQuad.map((address) => `::FFFF:${hextets(address)}`),
    privateQuad.map((address) => `::${address.join('.')}`),
    privateQuad.map((address) => `::ffff:0:${hextets(address)}`),
    privateQuad.map((address) => `64:ff9b::${address.join('.')}`),
    privateQuad.map((address) => `64:ff9b:1::${hextets(address)}`),
    privateQuad.map((address) => `2002:${hextets(address)}::1`),
  )
  .map((address) => `[${address}]`)

const name = fc.constantFrom(
  ...[
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'ｌｏｃａｌｈｏｓｔ',
    'printer.local',
    'router.lan',
    'nas.home.arpa',
  ],
  ...[
    'metadata.google.internal',
    'Metadata.Google.Internal.',
    'metadata',
    'instance-data',
    'inside.test',
    'mixed.test',
  ],
)

const host = fc.oneof(
  fc.tuple(numeric, disguise).map(([host, wear]) => wear(host)),
  long,
  name,
)

const url = fc
  .record({
    scheme: fc.constantFrom('http', 'https', 'HTTP', 'hTTps'),
    before: fc.constantFrom('', '', '', 'user@', 'example.org@', 'example.org:80@', 'a:b@', '@'),
    host,
    port: fc.constantFrom('', '', ':80', ':443', ':8080', ':8443', ':', ':0080'),
    rest: fc.constantFrom(
      '',
      '/',
      '/latest/meta-data/',
      '?q=example.org',
      '#@example.org',
      '/%2e%2e/',
      '/?http://example.org',
    ),
  })
  .map(({ scheme, before, host, port, rest }) => `${scheme}://${before}${host}${port}${rest}`)

describe('a private address in any spelling', () => {
  it('is refused in 6,000 spellings without a connection', async () => {
    const resolved: string[] = []
    const web = own.open({
      limits: { ports: [80, 443, 8080, 8443, own.canary.port] },
      async resolve(host) {
        resolved.push(host)
        return host.startsWith('mixed') ? [publicAddress, '10.0.0.1'] : ['127.0.0.1']
      },
    })
    const { signal } = new AbortController()
    await fc.assert(
      fc.asyncProperty(url, async (address) => {
        await expect(web.get(address, { signal })).rejects.toMatchObject({
          name: 'Failure',
          code: expect.stringMatching(/^(?:denied|invalid-input)$/),
        })
      }),
      { numRuns: 6000 },
    )
    expect(own.connections).toEqual([])
    expect(own.canary.connections).toBe(0)
    expect(new Set(resolved)).toEqual(new Set(['inside.test', 'mixed.test']))
  })

  it('is loaded if it is public', async () => {
    own.hosts[publicAddress] = (_, response) => response.setHeader('content-type', 'text/plain').end('public')
    const [a, b, c, d] = publicAddress.split('.').map(Number)
    const { signal } = new AbortController()
    for (const host of [
      publicAddress,
      `${((a * 256 + b) * 256 + c) * 256 + d}`,
      `0x${a.toString(16)}.${b}.${c}.${d}`,
    ]) {
      expect(await own.web.get(`http://${host}/`, { signal })).toMatchObject({ status: 200, text: 'public' })
    }
  })
})

describe('an address', () => {
  const fromOutside = ['1.1.1.1', '93.184.215.14', '2606:4700:4700::1111', '64:ff9b::5db8:d70e']
  for (const address of fromOutside) it(`${address} is public`, () => expect(isPublicAddress(address)).toBe(true))

  const special = [
    '64:ff9b::7f00:1',
    '::ffff:1.1.1.1',
    'fe80::1%eth0',
    '2606:4700::1%1',
    '192.0.2.1',
    '198.18.0.1',
    '255.255.255.255',
  ]
  for (const address of [...special, '', 'localhost', '1.2.3', '0x7f.1']) {
    it(`${address || '(none)'} is not public`, () => expect(isPublicAddress(address)).toBe(false))
  }

  it('of any kind is public only inside the global ranges', () => {
    fc.assert(
      fc.property(fc.ipV6(), (address) => {
        if (!isPublicAddress(address)) return
        const parsed = ipaddr.parse(address) as ipaddr.IPv6
        expect(parsed.parts[0] >> 13 === 1 || parsed.parts[0] === 0x64).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })
})
