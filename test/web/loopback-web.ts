import { createServer as createHttp, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Web } from '../../src/core/tools/index.js'
import { type NodeWebOptions, nodeWeb } from '../../src/hosts/node/web.js'
import { selfSignedCertificate } from './self-signed-certificate.js'

export type Answer = (request: IncomingMessage & { body: string }, response: ServerResponse) => void

export interface LoopbackWeb {
  web: Web
  /** Responses of the servers, by host name. */
  hosts: Record<string, Answer>
  /** Every connection anyone made, to the public test hosts or to the canary. */
  connections: string[]
  requests: { host: string; method: string; path: string; headers: Record<string, unknown>; body: string }[]
  /** A server no request must ever reach, and how often one did. */
  canary: { port: number; connections: number }
  /** The port of the test hosts for plain HTTP. */
  plainPort: number
  /** Sockets that are open now. */
  sockets: Set<Socket>
  /** Another way out to the same servers. */
  open(options: Partial<NodeWebOptions>): Web
  close(): Promise<void>
}

/** Addresses of documentation would be refused, so the test hosts have addresses that pass for public. */
export const publicAddress = '93.184.215.14'

/**
 * Servers on loopback that pass for hosts of the public internet: names in `hosts` resolve to a public address, and a
 * connection to that address really goes to a server here. Any other connection goes to the canary.
 */
export async function loopbackWeb(names: string[] = ['example.org']): Promise<LoopbackWeb> {
  const connections: string[] = []
  const requests: LoopbackWeb['requests'] = []
  const hosts: Record<string, Answer> = {}
  const sockets = new Set<Socket>()
  const canary = { port: 0, connections: 0 }
  const certificate = selfSignedCertificate(names)

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const host = `${request.headers.host}`
    requests.push({ host, method: `${request.method}`, path: `${request.url}`, headers: request.headers, body })
    const name = host.replace(/:\d+$/, '')
    const handle = hosts[name] ?? ((_, response) => response.writeHead(404).end())
    handle(Object.assign(request, { body }), response)
  }
  const plain = createHttp(answer)
  const secure = createHttps(certificate, answer)
  const trap = createHttp((_request, response) => response.end('canary'))
  trap.on('connection', () => canary.connections++)
  for (const server of [plain, secure, trap]) {
    await listen(server)
    server.on('connection', (socket: Socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
  }
  canary.port = portOf(trap)

  const open = (options: Partial<NodeWebOptions>) =>
    nodeWeb({
      userAgent: 'Notewright-test',
      certificateAuthorities: certificate.cert,
      resolve: async (host) => (names.includes(host) ? [publicAddress] : []),
      connect(address, port) {
        connections.push(`${address}:${port}`)
        if (address !== publicAddress) return { address: '127.0.0.1', port: canary.port }
        return { address: '127.0.0.1', port: portOf(port === 443 || port === 8443 ? secure : plain) }
      },
      ...options,
    })

  return {
    web: open({}),
    open,
    hosts,
    connections,
    requests,
    canary,
    plainPort: portOf(plain),
    sockets,
    async close() {
      for (const server of [plain, secure, trap]) {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((done) => server.listen(0, '127.0.0.1', done))
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}
