import { Failure } from '../../../errors.js'
import type { Outbound } from '../../tool.js'
import type { Web } from '../../tool-context.js'
import { requireOk } from '../require-web.js'
import { type CaptionLine, captionLines } from './caption-lines.js'
import { chooseTrack, isGenerated } from './choose-track.js'
import { type CaptionTrack, captionTracks, type PlayerResponse, playerResponseIn, readJson } from './player-response.js'

export interface Captions {
  title: string
  channel: string
  language: string
  /** Made by speech recognition. */
  generated: boolean
  lines: CaptionLine[]
}

const origin = 'https://www.youtube.com'
const playerUrl = `${origin}/youtubei/v1/player?prettyPrint=false`

/** Everything that loading the captions of a video may ask YouTube for. */
export function captionRequests(id: string): Outbound[] {
  return [
    { url: watchUrl(id), chosen: id },
    { url: playerUrl, payload: playerPayload(id), chosen: id },
    { url: `${origin}/api/timedtext?v=${id}`, chosen: id },
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
  const fromPage = await linesOf(captionTracks(page.response), language, web, signal)
  if (fromPage !== undefined) return { ...about(page.response), ...fromPage }

  const response = await playerResponse(id, web, signal)
  const tracks = captionTracks(response)
  const fromPlayer = await linesOf(tracks, language, web, signal)
  if (fromPlayer !== undefined) return { ...about(page.response, response), ...fromPlayer }
  throw whyNone(page, response, tracks.length > 0 || captionTracks(page.response).length > 0)
}

interface WatchPage {
  response?: PlayerResponse
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

async function linesOf(tracks: CaptionTrack[], language: string | undefined, web: Web, signal: AbortSignal) {
  if (tracks.length === 0) return undefined
  const track = chooseTrack(tracks, language)
  const url = trackUrl(track)
  const answer = await web.get(url.href, { signal })
  const lines = answer.status === 200 ? captionLines(answer.text) : undefined
  if (lines === undefined || lines.length === 0) return undefined
  return { language: track.languageCode, generated: isGenerated(track), lines }
}

/** Where the track is, if that is YouTube: nothing else was announced. */
function trackUrl({ baseUrl }: CaptionTrack): URL {
  const url = URL.canParse(baseUrl, origin) ? new URL(baseUrl, origin) : undefined
  if (url === undefined || url.protocol !== 'https:' || !/(?:^|\.)youtube\.com$/.test(url.hostname)) {
    throw new Failure('network', 'The captions of this video lie somewhere else than on YouTube; they were not loaded.')
  }
  url.searchParams.set('fmt', 'json3')
  return url
}

function about(...responses: (PlayerResponse | undefined)[]): { title: string; channel: string } {
  const details = responses.find((response) => response?.videoDetails !== undefined)?.videoDetails
  return { title: details?.title ?? '', channel: details?.author ?? '' }
}

function whyNone(page: WatchPage, response: PlayerResponse | undefined, hasTracks: boolean): Failure {
  if (hasTracks)
    return new Failure('network', 'YouTube has captions for this video, but sent them empty.', { hint: tryLater })
  const status = (response ?? page.response)?.playabilityStatus
  if (status?.status !== undefined && status.status !== 'OK') {
    const reason = `${status.reason ?? status.status}`.slice(0, 200)
    return new Failure('not-found', `YouTube does not play this video: ${reason}`)
  }
  if (response === undefined && page.asksConsent) {
    return new Failure('network', 'YouTube showed its consent page instead of the video.', { hint: tryLater })
  }
  if (response === undefined && page.response === undefined) {
    return new Failure('network', 'YouTube answered with a page without a video.', { hint: tryLater })
  }
  return new Failure('not-found', 'This video has no captions.')
}

const tryLater = 'Try again later, or copy the transcript from the video page.'

function watchUrl(id: string): string {
  return `${origin}/watch?v=${id}`
}

function playerPayload(id: string): string {
  const client = { clientName: 'ANDROID', clientVersion: '20.10.38', hl: 'en' }
  return JSON.stringify({ context: { client }, videoId: id })
}
