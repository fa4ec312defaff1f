import { describe, expect, it } from 'vitest'
import { videoId } from './youtube-captions.js'

const id = 'aB3_-xYz019'

describe('the video an address is about', () => {
  const forms = [
    ...[id, ` ${id} `, `https://www.youtube.com/watch?v=${id}`, `http://youtube.com/watch?v=${id}&t=42s&list=PL1`],
    ...[
      `https://www.youtube.com/watch?app=desktop&v=${id}#t=1`,
      `https://m.youtube.com/watch?v=${id}`,
      `youtube.com/watch?v=${id}`,
    ],
    ...[
      `https://music.youtube.com/watch?v=${id}&feature=share`,
      `https://youtu.be/${id}`,
      `youtu.be/${id}?si=abc&t=10`,
    ],
    ...[`https://www.youtube.com/embed/${id}?start=5`, `https://www.youtube-nocookie.com/embed/${id}`],
    ...[
      `https://www.youtube.com/shorts/${id}`,
      `https://youtube.com/live/${id}?feature=share`,
      `https://www.youtube.com/v/${id}`,
    ],
    ...[
      `https://www.youtube.com/e/${id}`,
      `https://www.youtube.com/watch/${id}`,
      `HTTPS://WWW.YOUTUBE.COM/watch?v=${id}`,
    ],
    ...[
      `https://www.youtube.com/attribution_link?a=x&u=%2Fwatch%3Fv%3D${id}%26feature%3Dshare`,
      `https://www.youtube.com/?v=${id}`,
    ],
  ]
  for (const form of forms) it(`is found in ${form}`, () => expect(videoId(form)).toBe(id))

  const others = [
    ...[
      '',
      'moss',
      'https://www.youtube.com/',
      'https://www.youtube.com/playlist?list=PL1',
      'https://www.youtube.com/@garden',
    ],
    ...[
      `https://vimeo.com/${id}`,
      `https://youtube.com.evil.test/watch?v=${id}`,
      `https://notyoutube.com/watch?v=${id}`,
    ],
    ...[
      'https://youtu.be/short',
      `https://www.youtube.com/watch?v=${id}x`,
      'https://youtu.be/<script>ab',
      'javascript:alert(1)',
      'https://www.youtube.com/redirect?q=http%3A%2F%2F%5B',
    ],
  ]
  for (const other of others) {
    it(`is not found in ${other || 'nothing'}`, () => {
      expect(() => videoId(other)).toThrowError(expect.objectContaining({ code: 'invalid-input' }))
    })
  }
})
