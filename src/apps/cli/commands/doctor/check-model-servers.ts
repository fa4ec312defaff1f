import { readFile } from 'node:fs/promises'
import type { Finding } from './finding.js'

const servers = [
  { name: 'Ollama', port: 11434 },
  { name: 'LM Studio', port: 1234 },
]

/** Whether a local model server seems to run. Reads the system's list of listening ports; connects to nothing. */
export async function checkModelServers(environment: Record<string, string | undefined>): Promise<Finding> {
  const subject = 'Local models'
  const host = environment.OLLAMA_HOST ? `OLLAMA_HOST is set` : ''
  if (process.platform !== 'linux') {
    return {
      subject,
      state: 'ok',
      text: [host, 'listening ports are not checked on this system'].filter(Boolean).join('; '),
    }
  }
  const tables = await Promise.all(
    ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => '')),
  )
  const ports = listeningPorts(tables.join('\n'))
  const found = servers.filter(({ port }) => ports.has(port)).map(({ name, port }) => `${name} (port ${port})`)
  const text =
    found.length > 0 ? `something listens where ${found.join(' and ')} would` : 'no Ollama or LM Studio running'
  return { subject, state: 'ok', text: [text, host].filter(Boolean).join('; ') }
}

/** From lines such as `0: 0100007F:2CAA 00000000:0000 0A …`: local address, remote address, state 0A = listening. */
export function listeningPorts(table: string): Set<number> {
  const ports = new Set<number>()
  for (const [, port] of table.matchAll(/^\s*\d+: [0-9A-F]+:([0-9A-F]{4}) [0-9A-F]+:[0-9A-F]{4} 0A /gm)) {
    ports.add(Number.parseInt(port, 16))
  }
  return ports
}
