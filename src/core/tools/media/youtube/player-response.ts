/** What the player of a video is told, as far as captions need it. */
export interface PlayerResponse {
  playabilityStatus?: { status?: string; reason?: string }
  videoDetails?: { title?: string; author?: string; lengthSeconds?: string }
  captions?: { playerCaptionsTracklistRenderer?: { captionTracks?: CaptionTrack[] } }
}

export interface CaptionTrack {
  baseUrl: string
  languageCode: string
  /** `asr` for captions that were made by speech recognition. */
  kind?: string
  name?: { simpleText?: string; runs?: { text?: string }[] }
}

/** The player's data out of a watch page, where it is assigned to a variable in a script. */
export function playerResponseIn(html: string): PlayerResponse | undefined {
  const assignments = html.matchAll(/ytInitialPlayerResponse["']?\]?\s*=\s*(?=\{)/g)
  for (const match of [...assignments].slice(0, 10)) {
    const json = objectAt(html, match.index + match[0].length)
    const parsed = json === undefined ? undefined : readJson(json)
    if (parsed !== undefined) return parsed
  }
  return undefined
}

export function readJson(text: string): PlayerResponse | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Tracks with what a track needs; the data is someone else's. */
export function captionTracks(response: PlayerResponse | undefined): CaptionTrack[] {
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
