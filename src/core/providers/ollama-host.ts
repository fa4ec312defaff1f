import { baseUrl } from './base-url.js'

/**
 * OLLAMA_HOST as Ollama reads it: scheme and port may be missing, and it is also the address the server listens on,
 * so `0.0.0.0` and `[::]` mean this machine to who wants to reach it.
 */
export function ollamaHost(text: string): string {
  const [, scheme, rest] = /^(?:(https?):\/\/)?(.*)$/i.exec(text.trim()) ?? []
  const [, hostAndPort = '', path = ''] = /^([^/]*)(\/.*)?$/.exec(rest ?? '') ?? []
  const [host, port] = splitPort(hostAndPort)
  // With a scheme its own port counts, as everywhere on the web.
  const wantedPort = port || (scheme === undefined ? '11434' : '')
  const url = `${scheme?.toLowerCase() ?? 'http'}://${reachable(host)}${wantedPort && `:${wantedPort}`}`
  return baseUrl(`${url}${path.replace(/\/+$/, '').replace(/\/v1$/, '')}/v1`, 'OLLAMA_HOST', '/v1')
}

function splitPort(text: string): [host: string, port: string] {
  const isBareIpv6 = (text.match(/:/g)?.length ?? 0) > 1 && !text.startsWith('[')
  if (isBareIpv6) return [`[${text}]`, '']
  const [, host, port = ''] = /^(.*?)(?::(\d*))?$/.exec(text) ?? []
  return [host ?? '', port]
}

function reachable(host: string): string {
  if (host === '' || host === '0.0.0.0') return '127.0.0.1'
  return host === '[::]' ? '[::1]' : host
}
