// Loaded into a child process with --import: writes down every connection and every name it looks up.
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'

const file = process.env.RECORD_CONNECTIONS
const record = (line) => appendFileSync(file, `${line}\n`)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function recorded(...given) {
  const [options] = Array.isArray(given[0]) ? given[0] : given
  record(`connect ${options?.path ?? `${options?.host ?? 'localhost'}:${options?.port}`}`)
  return connect.apply(this, given)
}
for (const [module, names] of [
  [dns, ['lookup', 'resolve', 'resolve4', 'resolve6']],
  [dns.promises, ['lookup', 'resolve', 'resolve4', 'resolve6']],
]) {
  for (const name of names) {
    const original = module[name]
    module[name] = (host, ...rest) => {
      record(`lookup ${host}`)
      return original.call(module, host, ...rest)
    }
  }
}
syncBuiltinESMExports()
