import { describe, expect, it } from 'vitest'
import { encode, texts } from '../../../../test/contracts/vault/index.js'
import { memoryFiles } from '../../../../test/doubles/memory-files.js'
import { releaseFile } from './file-moves.js'

describe('a file that is replaced in the moment in which someone saves it', () => {
  for (const disk of ['that knows second names', 'that knows none']) {
    it(`gets its place back, on a disk ${disk}, whatever earlier attempts have kept beside it`, async () => {
      const files = memoryFiles()
      files.put('/vault/a.md', encode('old'))
      files.put('/vault/1.kept', encode('saved at another time'))
      files.put('/vault/2.kept', encode('and another'))
      files.put('/vault/a.new', encode('new'))
      const access = disk === 'that knows none' ? { ...files, link: refused } : files
      const released = {
        place: '/vault/a.md',
        path: 'a.md',
        isExpected: () => true,
        kept: (attempt: number) => `/vault/${attempt}.kept`,
        close: (file: number) => access.close(file),
      }
      const replacing = releaseFile(access, released, () => {
        files.overwrite('/vault/a.md', encode('by a person'))
        return access.rename('/vault/a.new', '/vault/a.md')
      })
      await expect(replacing).rejects.toMatchObject({ code: 'conflict' })
      expect(texts(files.tree('/vault'))).toEqual({
        'a.md': 'by a person',
        '1.kept': 'saved at another time',
        '2.kept': 'and another',
      })
    })
  }
})

const refused = () => {
  throw Object.assign(new Error('EPERM'), { code: 'EPERM' })
}
