import { Failure } from '../../../errors.js'
import type { CaptionTrack } from './player-response.js'

/** The track in the wanted language; else English, else the first. What people wrote comes before what was recognised. */
export function chooseTrack(tracks: CaptionTrack[], language: string | undefined): CaptionTrack {
  const ranked = [...tracks].sort((a, b) => Number(isGenerated(a)) - Number(isGenerated(b)))
  if (language === undefined) return ranked.find(({ languageCode }) => speaks(languageCode, 'en')) ?? ranked[0]
  const exact = ranked.find(({ languageCode }) => languageCode.toLowerCase() === language.toLowerCase())
  const near = exact ?? ranked.find(({ languageCode }) => speaks(languageCode, language))
  if (near !== undefined) return near
  const available = [...new Set(ranked.map(({ languageCode }) => languageCode))].join(', ')
  throw new Failure('not-found', `There are no captions in ${language.slice(0, 20)}.`, {
    hint: `There are: ${available}.`,
  })
}

export function isGenerated({ kind }: CaptionTrack): boolean {
  return kind === 'asr'
}

/** `en-GB` speaks `en`, and the other way round. */
function speaks(code: string, language: string): boolean {
  return code.split('-')[0].toLowerCase() === language.split('-')[0].toLowerCase()
}
