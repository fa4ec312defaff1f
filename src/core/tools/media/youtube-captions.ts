import { Failure } from '../../errors.js'
import type { Outbound } from '../tool.js'
import type { Web } from '../tool-context.js'
import { requireOk, stripMarkup } from './web-text.js'

// `!`: a track is chosen only from a list that is not empty.

const idPattern = /^[\w-]{11}$/
const youtubeHosts = /(?:^|\.)(?:youtube\.com|youtube-nocookie\.com)$/

/** The video an address is about, in any of the forms YouTube hands out, or a bare id. */
export function videoId(text: string): string {
  const wanted = text.trim()
  if (idPattern.test(wanted)) return wanted
  const found = idIn(/^https?:\/\//i.test(wanted) ? wanted : `https://${wanted}`)
  if (found !== undefined && idPattern.test(found)) return found
  throw new Failure('invalid-input', `Not a YouTube video: ${wanted.slice(0, 100)}`, {
    hint: 'Use an address like https://www.youtube.com/watch?v=… or https://youtu.be/…',
  })
}

function idIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined
  const url = new URL(address)
  const [first, second] = url.pathname.split('/').filter(Boolean)
  if (url.hostname === 'youtu.be' || url.hostname === 'www.youtu.be') return first
  if (!youtubeHosts.test(url.hostname)) return undefined
  if (first === 'watch' || first === 'watch_popup') return url.searchParams.get('v') ?? second
  if (/^(?:embed|shorts|live|v|e|vi)$/.test(first ?? '')) return second
  // A link that leads on: https://www.youtube.com/attribution_link?u=/watch?v=…
  const onward = url.searchParams.get('u') ?? url.searchParams.get('q')
  if ((first === 'attribution_link' || first === 'redirect') && onward) {
    return URL.canParse(onward, url.origin) ? idIn(new URL(onward, url.origin).href) : undefined
  }
  return url.searchParams.get('v') ?? undefined
}

interface Captions {
  title: string
  channel: string
  language: string
  /** Made by speech recognition. */
  generated: boolean
  lines: CaptionLine[]
}

const youtubeOrigin = 'https://www.youtube.com'
const playerUrl = `${youtubeOrigin}/youtubei/v1/player?prettyPrint=false`

/** Everything that loading the captions of a video may ask YouTube for. */
export function captionRequests(id: string): Outbound[] {
  return [
    { url: watchUrl(id), chosen: id },
    { url: playerUrl, payload: playerPayload(id), chosen: id },
    { url: `${youtubeOrigin}/api/timedtext?v=${id}`, chosen: id },
  ]
}

/**
 * Captions of a video. The watch page names their tracks, but for a browser: without a token that only a browser can
 * make, those often answer with nothing. The tracks an app is given need none.
 */
export async function loadCaptions(
  id: string,
  language: string | undefined,
  web: Web,
  signal: AbortSignal,
): Promise<Captions> {
  const page = await watchPage(id, web, signal)
  const fromPage = await loadLines(captionTracks(page.response), language, web, signal)
  if (fromPage !== undefined) return { ...detailsOf(page.response), ...fromPage }

  const response = await playerResponse(id, web, signal)
  const tracks = captionTracks(response)
  const fromPlayer = await loadLines(tracks, language, web, signal)
  if (fromPlayer !== undefined) return { ...detailsOf(page.response, response), ...fromPlayer }
  throw noCaptionsFailure(page, response, tracks.length > 0 || captionTracks(page.response).length > 0)
}

interface WatchPage {
  response?: PlayerResponse | undefined
  asksConsent: boolean
}

async function watchPage(id: string, web: Web, signal: AbortSignal): Promise<WatchPage> {
  const page = requireOk(await web.get(watchUrl(id), { signal, headers: { 'accept-language': 'en' } }))
  const response = playerResponseIn(page.text)
  const asksConsent = new URL(page.url).hostname.startsWith('consent.') || page.text.includes('consent.youtube.com/s')
  return { response, asksConsent: response === undefined && asksConsent }
}

async function playerResponse(id: string, web: Web, signal: AbortSignal): Promise<PlayerResponse | undefined> {
  const answer = await web.get(playerUrl, {
    signal,
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: playerPayload(id),
  })
  return answer.status === 200 ? readJson(answer.text) : undefined
}

async function loadLines(tracks: CaptionTrack[], language: string | undefined, web: Web, signal: AbortSignal) {
  if (tracks.length === 0) return undefined
  const track = chooseTrack(tracks, language)
  const url = trackUrl(track)
  const answer = await web.get(url.href, { signal })
  const lines = answer.status === 200 ? captionLines(answer.text) : undefined
  if (lines === undefined || lines.length === 0) return undefined
  return { language: track.languageCode, generated: isGenerated(track), lines }
}

/** The address of a track. It must be on YouTube, the only host that was approved. */
function trackUrl({ baseUrl }: CaptionTrack): URL {
  const url = URL.canParse(baseUrl, youtubeOrigin) ? new URL(baseUrl, youtubeOrigin) : undefined
  if (url === undefined || url.protocol !== 'https:' || !/(?:^|\.)youtube\.com$/.test(url.hostname)) {
    throw new Failure('network', 'The captions of this video are not on YouTube, so they were not loaded.')
  }
  url.searchParams.set('fmt', 'json3')
  return url
}

function detailsOf(...responses: (PlayerResponse | undefined)[]): { title: string; channel: string } {
  const details = responses.find((response) => response?.videoDetails !== undefined)?.videoDetails
  return { title: details?.title ?? '', channel: details?.author ?? '' }
}

function noCaptionsFailure(page: WatchPage, response: PlayerResponse | undefined, hasTracks: boolean): Failure {
  if (hasTracks) return new Failure('network', 'YouTube sent empty captions for this video.', { hint: tryLater })
  const status = (response ?? page.response)?.playabilityStatus
  if (status?.status !== undefined && status.status !== 'OK') {
    const reason = `${status.reason ?? status.status}`.slice(0, 200)
    return new Failure('not-found', `YouTube does not play this video: ${reason}`)
  }
  if (response === undefined && page.asksConsent) {
    return new Failure('network', 'YouTube showed its consent page instead of the video.', { hint: tryLater })
  }
  if (response === undefined && page.response === undefined) {
    return new Failure('network', 'YouTube sent a page without a video.', { hint: tryLater })
  }
  return new Failure('not-found', 'This video has no captions.')
}

const tryLater = 'Try again later, or copy the transcript from the video page.'

function watchUrl(id: string): string {
  return `${youtubeOrigin}/watch?v=${id}`
}

function playerPayload(id: string): string {
  const client = { clientName: 'ANDROID', clientVersion: '20.10.38', hl: 'en' }
  return JSON.stringify({ context: { client }, videoId: id })
}

/**
 * The track in the wanted language; else English, else the first. Human captions take precedence over generated ones.
 */
function chooseTrack(tracks: CaptionTrack[], language: string | undefined): CaptionTrack {
  const ranked = [...tracks].sort((a, b) => Number(isGenerated(a)) - Number(isGenerated(b)))
  if (language === undefined) return ranked.find(({ languageCode }) => isSameLanguage(languageCode, 'en')) ?? ranked[0]!
  const exact = ranked.find(({ languageCode }) => languageCode.toLowerCase() === language.toLowerCase())
  const near = exact ?? ranked.find(({ languageCode }) => isSameLanguage(languageCode, language))
  if (near !== undefined) return near
  const available = [...new Set(ranked.map(({ languageCode }) => languageCode))].join(', ')
  throw new Failure('not-found', `There are no captions in ${language.slice(0, 20)}.`, {
    hint: `Available: ${available}.`,
  })
}

function isGenerated({ kind }: CaptionTrack): boolean {
  return kind === 'asr'
}

/** `en-GB` matches `en`, and vice versa. */
function isSameLanguage(code: string, language: string): boolean {
  return code.replace(/-.*/s, '').toLowerCase() === language.replace(/-.*/s, '').toLowerCase()
}

/** The fields of YouTube's player response that captions need. */
interface PlayerResponse {
  playabilityStatus?: { status?: string; reason?: string }
  videoDetails?: { title?: string; author?: string; lengthSeconds?: string }
  captions?: { playerCaptionsTracklistRenderer?: { captionTracks?: CaptionTrack[] } }
}

interface CaptionTrack {
  baseUrl: string
  languageCode: string
  /** `asr` for captions that were made by speech recognition. */
  kind?: string
  name?: { simpleText?: string; runs?: { text?: string }[] }
}

/** The player's data out of a watch page, where it is assigned to a variable in a script. */
function playerResponseIn(html: string): PlayerResponse | undefined {
  const assignments = html.matchAll(/ytInitialPlayerResponse["']?\]?\s*=\s*(?=\{)/g)
  for (const match of [...assignments].slice(0, 10)) {
    const json = objectAt(html, match.index + match[0].length)
    const parsed = json === undefined ? undefined : readJson(json)
    if (parsed !== undefined) return parsed
  }
  return undefined
}

function readJson(text: string): PlayerResponse | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Valid tracks of the untrusted response. */
function captionTracks(response: PlayerResponse | undefined): CaptionTrack[] {
  const tracks: unknown = response?.captions?.playerCaptionsTracklistRenderer?.captionTracks
  if (!Array.isArray(tracks)) return []
  return (tracks as (CaptionTrack | null)[]).filter(
    (track): track is CaptionTrack => typeof track?.baseUrl === 'string' && typeof track?.languageCode === 'string',
  )
}

/** From an opening brace to the one that closes it, strings read as strings. */
function objectAt(text: string, start: number): string | undefined {
  const token = /["{}]/g
  token.lastIndex = start
  let depth = 0
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === '"') {
      const end = stringEnd(text, token.lastIndex)
      if (end === undefined) return undefined
      token.lastIndex = end
    } else {
      depth += match[0] === '{' ? 1 : -1
      if (depth === 0) return text.slice(start, token.lastIndex)
    }
  }
  return undefined
}

function stringEnd(text: string, from: number): number | undefined {
  for (let at = from; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at + 1
  }
  return undefined
}

export interface CaptionLine {
  /** From the start of the video. */
  seconds: number
  text: string
}

/** Captions as YouTube sends them: JSON (`fmt=json3`), or XML of either age. Undefined for anything else. */
function captionLines(body: string): CaptionLine[] | undefined {
  const text = body.trimStart()
  if (text.startsWith('{')) return jsonLines(text)
  if (text.startsWith('<') && /<(?:transcript|timedtext)[\s>]/.test(text.slice(0, 500))) return xmlLines(text)
  return undefined
}

interface Json3 {
  events?: { tStartMs?: number | string; segs?: { utf8?: string }[] }[]
}

function jsonLines(text: string): CaptionLine[] | undefined {
  let parsed: Json3
  try {
    parsed = JSON.parse(text) as Json3
  } catch {
    return undefined
  }
  if (!Array.isArray(parsed.events)) return undefined
  // Events without words set up windows, or move to a new line.
  return parsed.events.flatMap((event) => {
    const words = Array.isArray(event?.segs) ? event.segs.map((segment) => segment?.utf8 ?? '').join('') : ''
    return captionLine(Number(event?.tStartMs ?? 0) / 1000, words)
  })
}

/** `<text start="1.2">` in seconds, or `<p t="1200">` in milliseconds with a tag for every word. */
function xmlLines(text: string): CaptionLine[] {
  const tag = /<text[\s>]/.test(text) ? 'text' : 'p'
  const opening = tag === 'text' ? /<text(\s[^<>]*)?>/ : /<p(\s[^<>]*)?>/
  const pieces = text.split(`</${tag}>`).slice(0, -1)
  return pieces.flatMap((piece) => {
    const open = opening.exec(piece)
    if (open === null) return []
    const start = Number(/\s(?:start|t)="([\d.]+)"/.exec(open[1] ?? '')?.[1] ?? 0)
    // The XML contains HTML, so references are escaped twice.
    const words = stripMarkup(stripMarkup(piece.slice(open.index + open[0].length)))
    return captionLine(tag === 'p' ? start / 1000 : start, words)
  })
}

function captionLine(seconds: number, words: string): CaptionLine[] {
  const text = words.replace(/\s+/g, ' ').trim()
  return text === '' ? [] : [{ seconds: Number.isFinite(seconds) ? seconds : 0, text }]
}
