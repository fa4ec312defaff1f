import type { Web } from '../../src/core/tools/index.js'
import { webFetch } from '../../src/core/tools/media/web-fetch.js'
import { testContext } from '../tools/call-tool.js'

/** Calls web_fetch as it is called: first it says what it would load, then it loads that. */
export async function loadPage(url: string, web: Web, part?: number) {
  const context = await testContext({}, { web })
  const reach = await webFetch.reaches!({ url, part }, context)
  const output = await webFetch.run!(reach.input, context)
  return { sends: reach.sends, output, text: webFetch.render(output) }
}
