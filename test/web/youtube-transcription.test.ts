import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { youtubeTranscription } from '../../src/core/tools/media/youtube-transcription.js'
import { testContext } from '../tools/call-tool.js'
import { type LoopbackWeb, loopbackWeb } from './loopback-web.js'

const saved = (name: string) => readFileSync(new URL(`youtube/${name}`, import.meta.url), 'utf8')
const watchPage = saved('watch-page.txt')
const id = 'mossmossmos'

let own: LoopbackWeb
beforeEach(async () => {
  own = await loopbackWeb(['www.youtube.com', 'consent.youtube.com'])
})
afterEach(() => own.close())

interface YouTube {
  watch?: string
  player?: unknown
  captions?: (address: URL) => string
}

/** A YouTube that answers as the real one does, with what the test gives it. */
function youtube({ watch = watchPage, player, captions = () => saved('captions.json3') }: YouTube) {
  own.hosts['www.youtube.com'] = (request, response) => {
    const address = new URL(`${request.url}`, 'https://www.youtube.com')
    if (address.pathname === '/watch') response.end(watch)
    else if (address.pathname === '/api/timedtext') response.end(captions(address))
    else if (address.pathname === '/youtubei/v1/player' && player !== undefined) response.end(JSON.stringify(player))
    else response.writeHead(400).end('{}')
  }
}

async function transcript(input: Record<string, unknown> = {}) {
  const context = await testContext({}, { web: own.web })
  const reach = await youtubeTranscription.reaches!({ url: `https://youtu.be/${id}`, ...input }, context)
  const output = await youtubeTranscription.run!(reach.input, context)
  return { sends: reach.sends, output, text: youtubeTranscription.render(output) }
}

const asked = () => own.requests.map(({ path }) => path)

describe('youtube_transcription', () => {
  it('finds the captions of a watch page and returns their text', async () => {
    youtube({})
    const { output, text } = await transcript()
    expect(output).toEqual({
      url: `https://www.youtube.com/watch?v=${id}`,
      title: 'How moss grows',
      channel: 'The Garden',
      language: 'en-GB',
      generated: false,
      text: 'Moss grows slowly. It likes shade & water. [Music]',
      part: 1,
      parts: 1,
    })
    expect(text).toMatch(
      /^# How moss grows\nThe Garden · https:\/\/www\.youtube\.com\/watch\?v=mossmossmos · en-GB\n\nMoss/,
    )
    expect(asked()).toEqual([
      `/watch?v=${id}`,
      expect.stringMatching(/^\/api\/timedtext\?.*signature=EEEE\.FFFF.*lang=en-GB&fmt=json3$/),
    ])
  })

  it('announces every address it may use', async () => {
    youtube({ captions: () => '', player: {} })
    const context = await testContext({}, { web: own.web })
    const { sends, input } = await youtubeTranscription.reaches!({ url: id }, context)
    await expect(youtubeTranscription.run!(input, context)).rejects.toMatchObject({ code: 'network' })
    const places = (urls: string[]) => new Set(urls.map((url) => new URL(url, 'https://www.youtube.com').pathname))
    expect(places(asked())).toEqual(places(sends!.map(({ url }) => url)))
    expect(own.requests.find(({ method }) => method === 'POST')?.body).toBe(
      sends!.find(({ payload }) => payload)?.payload,
    )
  })

  it('marks the time of each line if requested', async () => {
    youtube({})
    expect((await transcript({ timestamps: true })).output.text).toBe(
      '[0:01] Moss grows slowly.\n[1:05] It likes shade & water.\n[1:01:01] [Music]',
    )
  })

  it('prefers the requested language, and written captions over recognised ones', async () => {
    youtube({})
    expect((await transcript({ language: 'de-AT' })).output).toMatchObject({ language: 'de', generated: false })
    const recognised = await transcript({ language: 'en' })
    expect(recognised.output).toMatchObject({ language: 'en', generated: true })
    expect(recognised.text).toContain('en, automatic captions')
    await expect(transcript({ language: 'fr' })).rejects.toMatchObject({
      code: 'not-found',
      message: 'There are no captions in fr.',
      details: { hint: 'Available: de, en-GB, en.' },
    })
  })

  for (const file of ['captions-srv1.xml', 'captions-srv3.xml']) {
    it(`reads ${file} as well`, async () => {
      youtube({ captions: () => saved(file) })
      expect((await transcript({ timestamps: true })).output.text).toBe(
        "[0:01] Moss grows slowly.\n[1:05] It doesn't mind shade & water.",
      )
    })
  }

  it("requests the app's tracks if those of the page are empty", async () => {
    const player = {
      playabilityStatus: { status: 'OK' },
      captions: {
        playerCaptionsTracklistRenderer: {
          captionTracks: [{ baseUrl: '/api/timedtext?v=x&app=1&fmt=srv3', languageCode: 'en', kind: 'asr' }],
        },
      },
    }
    youtube({ player, captions: (address) => (address.searchParams.has('app') ? saved('captions.json3') : '') })
    expect((await transcript()).output).toMatchObject({ title: 'How moss grows', language: 'en', text: /^Moss/ })
    const post = own.requests.find(({ method }) => method === 'POST')
    expect(JSON.parse(post!.body)).toMatchObject({ videoId: id, context: { client: { clientName: 'ANDROID' } } })
    expect(asked().at(-1)).toBe('/api/timedtext?v=x&app=1&fmt=json3')
  })

  it('passes a consent page if possible, and reports it otherwise', async () => {
    own.hosts['consent.youtube.com'] = (_, response) => response.end(saved('consent-page.txt'))
    const player = {
      videoDetails: { title: 'Behind', author: 'A' },
      captions: {
        playerCaptionsTracklistRenderer: {
          captionTracks: [{ baseUrl: 'https://www.youtube.com/api/timedtext?v=x', languageCode: 'de' }],
        },
      },
    }
    const redirecting = (answer: unknown) => {
      youtube({ player: answer })
      const usual = own.hosts['www.youtube.com']
      own.hosts['www.youtube.com'] = (request, response) => {
        if (!request.url!.startsWith('/watch')) return usual(request, response)
        response.writeHead(302, { location: 'https://consent.youtube.com/m?continue=x' }).end()
      }
    }
    redirecting(player)
    expect((await transcript()).output).toMatchObject({ title: 'Behind', language: 'de' })
    redirecting(undefined)
    await expect(transcript()).rejects.toMatchObject({
      code: 'network',
      message: 'YouTube showed its consent page instead of the video.',
    })
  })

  const failures: [what: string, youtube: YouTube, code: string, message: RegExp][] = [
    [
      'has no captions',
      { watch: watchPage.replace('"captionTracks"', '"none"'), player: {} },
      'not-found',
      /has no captions/,
    ],
    [
      'is private',
      {
        watch:
          'var ytInitialPlayerResponse = {"playabilityStatus":{"status":"LOGIN_REQUIRED","reason":"Private video"}};',
      },
      'not-found',
      /does not play this video: Private video/,
    ],
    ['sends its captions empty', { captions: () => '', player: {} }, 'network', /sent them empty/],
    ['is a page of something else', { watch: '<html>Sorry' }, 'network', /a page without a video/],
    [
      'has its captions elsewhere',
      { watch: watchPage.replaceAll('https://www.youtube.com/api', 'https://evil.test/api') },
      'network',
      /somewhere else than on YouTube/,
    ],
  ]
  for (const [what, answers, code, message] of failures) {
    it(`reports a video that ${what}`, async () => {
      youtube(answers)
      await expect(transcript()).rejects.toMatchObject({ code, message })
    })
  }

  it('returns a long talk in paragraphs and parts', async () => {
    const events = Array.from({ length: 3000 }, (_, index) => ({
      tStartMs: index * 3000,
      segs: [{ utf8: `Sentence number ${index}.` }],
    }))
    youtube({ captions: () => JSON.stringify({ events }) })
    const first = await transcript()
    expect(first.output.parts).toBeGreaterThan(2)
    expect(first.text).toContain('To continue, ask for part 2')
    const rest = []
    for (let part = 1; part <= first.output.parts; part++) rest.push((await transcript({ part })).output.text)
    expect(rest.join(' ').replace(/\s+/g, ' ')).toBe(events.map(({ segs }) => segs[0].utf8).join(' '))
    expect(first.output.text.split('\n\n').length).toBeGreaterThan(10)
  })
})
