import { viewFile } from './view-file.js'
import { webFetch } from './web-fetch.js'
import { webSearch } from './web-search.js'
import { youtubeTranscription } from './youtube-transcription.js'

export const mediaTools = [viewFile, webSearch, webFetch, youtubeTranscription]
