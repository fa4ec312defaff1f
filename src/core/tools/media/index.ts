import { webFetch } from './web-fetch.js'
import { webSearch } from './web-search.js'
import { youtubeTranscription } from './youtube-transcription.js'

export const mediaTools = [webSearch, webFetch, youtubeTranscription]
