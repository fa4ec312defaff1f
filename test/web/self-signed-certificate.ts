import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'

/** A key and a certificate for these names, made for one test run, so that none need be kept anywhere. */
export function selfSignedCertificate(names: string[]): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(objectId([0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]))
  const commonName = sequence(objectId([0x55, 0x04, 0x03]), encode(0x0c, Buffer.from('Notewright test')))
  const name = sequence(encode(0x31, commonName))
  const alternatives = sequence(...names.map((name) => encode(0x82, Buffer.from(name))))
  const extensions = sequence(
    sequence(objectId([0x55, 0x1d, 0x11]), encode(0x04, alternatives)),
    sequence(objectId([0x55, 0x1d, 0x13]), encode(0x01, Buffer.from([0xff])), encode(0x04, isAuthority)),
  )
  const certificate = sequence(
    encode(0xa0, encode(0x02, Buffer.from([2]))),
    encode(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    sequence(utcTime(-1), utcTime(2)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    encode(0xa3, extensions),
  )
  const signature = sign('sha256', certificate, privateKey)
  const whole = sequence(certificate, algorithm, encode(0x03, Buffer.concat([Buffer.from([0]), signature])))
  return { key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, cert: pem(whole) }
}

const isAuthority = sequence(encode(0x01, Buffer.from([0xff])))

function encode(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return encode(0x30, Buffer.concat(parts))
}

function objectId(bytes: number[]): Buffer {
  return encode(0x06, Buffer.from(bytes))
}

function utcTime(days: number): Buffer {
  const time = new Date(Date.now() + days * 86_400_000).toISOString().replace(/\D/g, '')
  return encode(0x17, Buffer.from(`${time.slice(2, 14)}Z`))
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g)!
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`
}
