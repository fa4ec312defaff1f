import { afterAll, beforeAll, beforeEach } from 'vitest'

/**
 * Opens a page or an app for the tests of a file. Before a second try of a test it is opened again, with a vault of its
 * own: the first try may have changed anything.
 */
export function openForTests(open: () => Promise<{ close(): Promise<unknown> }>): void {
  let opened: { close(): Promise<unknown> } | undefined
  beforeAll(async () => {
    opened = await open()
  })
  beforeEach(async ({ task }) => {
    if (!task.result?.retryCount) return
    await opened?.close()
    opened = undefined
    opened = await open()
  })
  afterAll(() => opened?.close())
}
