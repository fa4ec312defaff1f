import * as z from 'zod'
import { defineTool } from '../tool.js'
import { partNote, requireWeb, textPart, webNotices, withoutInvisible } from './web-text.js'
import { type CaptionLine, captionRequests, loadCaptions, videoId } from './youtube-captions.js'

export const youtubeTranscription = defineTool({
  name: 'youtube_transcription',
  title: 'YouTube transcript',
  description: 'Load the captions of a YouTube video as text. Long ones come in parts.',
  activity: 'Loading a transcript',
  category: 'media',
  effects: ['reaches-network'],
  offByDefault: true,
  input: z.object({
    url: z.string().min(1).max(2000).describe('Address or id of the video'),
    language: z.string().min(2).max(20).optional().describe('e.g. "de"; default: English, or the first available'),
    timestamps: z.boolean().optional(),
    part: z.number().int().min(1).optional(),
  }),
  example: { url: 'https://www.youtube.com/watch?v=dQw4w9WgXcQ', language: 'en' },
  output: z.object({
    url: z.string(),
    title: z.string(),
    channel: z.string(),
    language: z.string(),
    generated: z.boolean(),
    text: z.string(),
    part: z.number(),
    parts: z.number(),
  }),

  async reaches(input, context) {
    const id = videoId(input.url)
    return { sends: captionRequests(id), input: { ...input, url: watchAddress(id) }, ...webNotices(context) }
  },

  async run({ url, language, timestamps = false, part = 1 }, context) {
    const id = videoId(url)
    const { lines, title, channel, ...about } = await loadCaptions(id, language, requireWeb(context), context.signal)
    return {
      url: watchAddress(id),
      title: withoutInvisible(title),
      channel: withoutInvisible(channel),
      ...about,
      ...textPart(withoutInvisible(timestamps ? withTimestamps(lines) : inParagraphs(lines)), part, context.room),
    }
  },

  render({ url, title, channel, language, generated, text, part, parts }) {
    const made = generated ? `${language}, automatic captions` : language
    const head = [`# ${title || url}`, [channel, url, made].filter(Boolean).join(' · ')].join('\n')
    return [head, text, partNote({ part, parts })].filter(Boolean).join('\n\n')
  },
  summary: ({ language, text }) => `${text.length} characters in ${language}`,
})

function watchAddress(id: string): string {
  return `https://www.youtube.com/watch?v=${id}`
}

function withTimestamps(lines: CaptionLine[]): string {
  return lines.map(({ seconds, text }) => `[${clock(seconds)}] ${text}`).join('\n')
}

/** In paragraphs: captions have none, and a talk without any is hard to read. */
function inParagraphs(lines: CaptionLine[]): string {
  let text = ''
  let paragraph = 0
  for (const line of lines) {
    const ends = paragraph > 600 && /[.!?。！？]["'”’)]?$/.test(text)
    if (text !== '') text += ends || paragraph > 1500 ? '\n\n' : ' '
    paragraph = text === '' || text.endsWith('\n') ? line.text.length : paragraph + line.text.length + 1
    text += line.text
  }
  return text
}

/** `1:02`, `1:01:05` */
function clock(seconds: number): string {
  const whole = Math.floor(seconds)
  const two = (number: number) => `${number}`.padStart(2, '0')
  const minutes = Math.floor(whole / 60) % 60
  const hours = Math.floor(whole / 3600)
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`
}
