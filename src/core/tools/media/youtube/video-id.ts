import { Failure } from '../../../errors.js'

const id = /^[\w-]{11}$/
const hosts = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com)$/

/** The video an address is about, in any of the forms YouTube hands out, or a bare id. */
export function videoId(text: string): string {
  const wanted = text.trim()
  if (id.test(wanted)) return wanted
  const found = idIn(/^https?:\/\//i.test(wanted) ? wanted : `https://${wanted}`)
  if (found !== undefined && id.test(found)) return found
  throw new Failure('invalid-input', `Not the address of a YouTube video: ${wanted.slice(0, 100)}`, {
    hint: 'Give it as https://www.youtube.com/watch?v=… or https://youtu.be/…',
  })
}

function idIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const [first, second] = url.pathname.split('/').filter(Boolean)
  if (url.hostname === 'youtu.be' || url.hostname === 'www.youtu.be') return first
  if (!hosts.test(url.hostname)) return undefined
  if (first === 'watch' || first === 'watch_popup') return url.searchParams.get('v') ?? second
  if (/^(?:embed|shorts|live|v|e|vi)$/.test(first ?? '')) return second
  // A link that leads on: https://www.youtube.com/attribution_link?u=/watch?v=…
  const onward = url.searchParams.get('u') ?? url.searchParams.get('q')
  if ((first === 'attribution_link' || first === 'redirect') && onward) {
    return URL.canParse(onward, url.origin) ? idIn(new URL(onward, url.origin).href) : undefined
  }
  return url.searchParams.get('v') ?? undefined
}
